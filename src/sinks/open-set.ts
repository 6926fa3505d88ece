import type { JsonObject } from '../core/json-object.ts';
import type { MaskMode } from '../reports/export/loss-mask.ts';
import { preferenceSet } from '../reports/export/preference-set.ts';
import { type PromptEntry, type PromptReport, promptSet } from '../reports/export/prompt-set.ts';
import { rowSet } from '../reports/export/row-set.ts';
import { buildPreferencePairs } from '../reports/select/build-preference-pairs.ts';
import { decisionOf } from '../rows/decision.ts';
import type { Row } from '../rows/row.ts';
import type { DecisionLog } from './decision-log.ts';
import { type SetSink, setFile } from './set-file.ts';
import { trainingSet } from './training-set.ts';

/** The formats of a set, and what each is for. */
export const setFormats = ['openai', 'trl', 'pairs', 'pairs-trl', 'reward', 'grpo', 'opsd', 'opd', 'rows'] as const;
export type SetFormat = (typeof setFormats)[number];

/** What the formats share; each takes what it knows. */
export interface SetShape {
  readonly runPrompt?: string | undefined;
  readonly runTools?: readonly JsonObject[] | undefined;
  readonly systemPrompts?: Readonly<Record<string, string>> | undefined;
  readonly toolsByPrompt?: Readonly<Record<string, readonly JsonObject[]>> | undefined;
  readonly stripThink?: boolean;
  readonly maskMode?: MaskMode;
  readonly unroll?: boolean;
  readonly maxToolOutputChars?: number | undefined;
  readonly keepCut?: boolean;
  readonly minMargin?: number | undefined;
  readonly band?: readonly [number, number] | null;
}

interface Ports {
  readonly decisions?: DecisionLog | undefined;
  /** The command that decides; `export` when absent. */
  readonly step?: string | undefined;
  /** What the decisions call the file. */
  readonly shownAs?: string | undefined;
}

/**
 * Open the sink of a set by its format. Pairs are built of all rows when the last one is there; every other set grows row
 * by row. A set of hints holds answer keys: its file is for its owner only.
 *
 * @throws TM_OPTIONS - an option is out of range
 */
export function openSet(format: SetFormat, path: string, shape: SetShape, ports: Ports = {}): SetSink<Row, object> {
  const { maskMode, unroll, maxToolOutputChars, keepCut, minMargin, band, ...rest } = shape;
  const { runPrompt, runTools, systemPrompts, toolsByPrompt, stripThink } = rest;
  const asked = {
    ...(runPrompt && { runPrompt }),
    ...(runTools && runTools.length > 0 && { runTools: [...runTools] }),
    ...(systemPrompts && { systemPrompts: { ...systemPrompts } }),
    ...(toolsByPrompt && { toolsByPrompt: mutable(toolsByPrompt) }),
  };
  switch (format) {
    case 'openai':
    case 'trl':
    case 'opd': {
      const how = { maskMode, unroll, maxToolOutputChars, keepCut, stripThink };
      return trainingSet({ ...asked, ...given(how), format, path }, ports);
    }
    case 'grpo':
    case 'opsd':
      return setFile<Row, PromptEntry, PromptReport>(
        promptSet({ ...asked, format, ...(band !== undefined && { band: band && [...band] }) }),
        { path, isPrivate: format === 'opsd', by: `${format}-set`, ...ports },
      );
    case 'rows':
      return setFile(rowSet(), { path, by: 'rows-set', ...ports });
    default: {
      const formats = { pairs: 'openai', 'pairs-trl': 'trl', reward: 'reward' } as const;
      const how = { ...asked, ...given({ stripThink }), format: formats[format] };
      return pairsOfRows(path, how, { by: `${format}-set`, minMargin, ...ports });
    }
  }
}

const mutable = (lists: Readonly<Record<string, readonly JsonObject[]>>) =>
  Object.fromEntries(Object.entries(lists).map(([hash, list]) => [hash, [...list]]));

/** Without what was not given. */
const given = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

/** A sink of rows that holds them all, pairs them at the end, and writes the pairs. */
function pairsOfRows(
  path: string,
  how: Parameters<typeof preferenceSet>[0],
  { by, minMargin, ...ports }: Ports & { readonly by: string; readonly minMargin: number | undefined },
): SetSink<Row, object> {
  const membersOf = (pair: JsonObject) => [pair['chosen'] as JsonObject, pair['rejected'] as JsonObject];
  const file = setFile<JsonObject, unknown, object>(preferenceSet(how) as never, { path, by, membersOf, ...ports }); // entries are its own
  const rows: Row[] = [];
  return {
    write: async (batch) => void rows.push(...batch),
    async finish() {
      const { pairs, rejected, report } = buildPreferencePairs(rows, minMargin === undefined ? {} : { minMargin });
      const numbers = { min_margin: report.min_margin };
      await ports.decisions?.add(
        rejected.map(({ row, by: rule, reason }) =>
          decisionOf(row, {
            ...{ step: ports.step ?? 'export', decision: 'left', by: rule, reason },
            gates: [{ gate: rule, passed: false, reason, numbers }],
          }),
        ),
      );
      await file.write(pairs as unknown as readonly JsonObject[]); // each is read field by field
      await file.finish?.();
    },
    close: () => file.close(),
    report: file.report,
  };
}
