import type { JsonObject } from '../core/json-object.ts';
import { cleanFaults } from './clean-faults.ts';
import { conversationOf } from './conversation.ts';
import { plainText } from './plain-text.ts';
import type { Row } from './row.ts';
import { schemaVersion } from './row-shape.ts';
import { scrub } from './scrub.ts';
import { checkRows } from './validate-row.ts';

/** A row that may leave: stamped, with the four fields that every reader may count on. */
export type ExportedRow = Row & {
  readonly schema_version: typeof schemaVersion;
  readonly prompt: string;
  readonly final_text: string;
};

/** Written only together with a verdict. */
const ofVerdict: ReadonlySet<string> = new Set(['reason', 'label_source']);
const settled: ReadonlySet<string> = new Set(['world_state', 'faults', 'schema_version']);

/**
 * Make the row that leaves: the whole row without answer keys and vectors, nulls and keys that begin with `_`, with its
 * messages, stamped and checked. Every sink writes rows through it. Costs one walk over the row.
 *
 * @throws TM_ROW - the row is not well formed
 * @source house rule
 */
export function exportRow(row: JsonObject): ExportedRow {
  const clean = scrub(row); // first: what is derived below must not carry a key that is data no more
  const { messages, world_state, quality, reward } = clean;
  const isJudged = isThere(reward);
  const reason = isJudged ? clean['grader_reason'] || clean['reason'] : undefined;
  const faults = cleanFaults(clean['faults']);
  const rest = Object.entries(clean).filter(
    ([key, value]) => isThere(value) && !key.startsWith('_') && !settled.has(key) && (isJudged || !ofVerdict.has(key)),
  );
  const out = {
    ...Object.fromEntries(rest),
    prompt: clean['prompt'] ?? '',
    messages: Array.isArray(messages) && messages.length > 0 ? messages : conversationOf(clean),
    steps: clean['steps'] ?? [],
    final_text: plainText(clean['final_text']),
    scenario_id: clean['scenario_id'] || '',
    ...(clean['opener'] ? { opening: clean['opening'] || 'agent' } : {}),
    ...(world_state && world_state !== 'unspecified' && world_state !== 'unknown' ? { world_state } : {}),
    ...(faults ? { faults } : {}),
    ...(reason ? { reason } : {}),
    ...(isThere(quality) ? { quality_reason: clean['quality_reason'] || '' } : {}),
    schema_version: schemaVersion,
  };
  checkRows([out], { where: 'exportRow' });
  return out as ExportedRow; // checked on the line above
}

const isThere = (value: unknown) => value !== undefined && value !== null;
