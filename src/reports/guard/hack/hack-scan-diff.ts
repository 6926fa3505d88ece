import { z } from 'zod';
import type { JsonObject } from '../../../core/json-object.ts';
import { parseOptions } from '../../../core/operator.ts';
import { asWarnings, type Remark } from '../../../core/remarks.ts';
import type { HackFeature } from './hack-feature.ts';
import { hackScanOptions, scanAll } from './hack-scan.ts';

const options = z.strictObject(hackScanOptions);

/** A feature on both sides. */
export interface HackShift {
  readonly name: string;
  readonly endorsed: boolean;
  readonly rho_before: number;
  readonly rho_after: number;
  /** |after| less |before|. */
  readonly shift: number;
}

/**
 * Compare what reward pays for before and after training, or in two reward versions: what passed the floor anew, what no
 * longer does, and what grew or shrank. A side whose rollouts are copies of each other names nothing.
 *
 * @throws TM_OPTIONS - an option is unknown or out of range
 * @source Gao et al. 2022 (arXiv:2210.10760)
 */
export function hackScanDiff(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  given: z.input<typeof options> = {},
) {
  const opts = parseOptions('hackScanDiff', options, given);
  const [a, b] = [scanAll(before, opts), scanAll(after, opts)];
  const isDegenerate = a.degenerate || b.degenerate;
  const shifts = isDegenerate ? [] : shiftsOf(a.features, b.features);
  const above = (features: readonly HackFeature[]) =>
    new Set(features.filter(({ above_floor }) => above_floor).map(({ name }) => name));
  const [was, is] = [above(a.features), above(b.features)];
  const byAfter = (x: HackShift, y: HackShift) => Math.abs(y.rho_after) - Math.abs(x.rho_after);
  const byShift = (x: HackShift, y: HackShift) => Math.abs(y.shift) - Math.abs(x.shift);
  const gained = shifts.filter(({ name }) => is.has(name) && !was.has(name)).sort(byAfter);
  const lost = shifts.filter(({ name }) => was.has(name) && !is.has(name)).sort(byShift);
  const moved = shifts.filter(({ name }) => was.has(name) && is.has(name)).sort(byShift);
  const landed = opts.endorsed.length > 0 && gained[0] !== undefined && !gained[0].endorsed;
  const remarks: Remark[] = [
    ...(isDegenerate ? [sideRemark(a.degenerate)] : []),
    ...(landed ? [landedRemark(gained[0] as HackShift)] : []),
    ...b.warnings.map((text, n) => ({ code: b.warning_codes[n] ?? '', text: `after: ${text}` })),
  ];
  return {
    before: sideOf(a),
    after: sideOf(b),
    gained,
    lost,
    moved,
    /** Features that pass the floor now and that the reward is meant to pay for. */
    learned: gained.filter(({ endorsed, rho_after }) => endorsed && rho_after > 0),
    ...asWarnings(remarks),
  };
}

function shiftsOf(before: readonly HackFeature[], after: readonly HackFeature[]): HackShift[] {
  const known = new Map(before.map((feature) => [feature.name, feature]));
  const names = new Set([...before, ...after].map(({ name }) => name));
  const later = new Map(after.map((feature) => [feature.name, feature]));
  return [...names].sort().map((name) => {
    const [one, other] = [known.get(name), later.get(name)];
    const [rho_before, rho_after] = [one?.rho ?? 0, other?.rho ?? 0];
    const endorsed = (other ?? one)?.endorsed ?? false;
    return { name, endorsed, rho_before, rho_after, shift: Math.abs(rho_after) - Math.abs(rho_before) };
  });
}

function sideOf(scan: ReturnType<typeof scanAll>) {
  const { regime, top_feature, rho_max, tau, integrity, degenerate } = scan;
  return { regime, top_feature, rho_max, tau, integrity, degenerate };
}

const sideRemark = (isBefore: boolean): Remark => ({
  code: 'hack_degenerate',
  text: `the rollouts ${isBefore ? 'before' : 'after'} are copies of each other: no feature can be named`,
});

const landedRemark = ({ name, rho_after }: HackShift): Remark => ({
  code: 'hack_landed',
  text: `the reward came to pay for ${name} (rho ${rho_after}), which is not endorsed`,
});
