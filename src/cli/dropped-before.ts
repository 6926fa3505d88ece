import { fileBytes } from '../core/file-bytes.ts';
import { parseJson } from '../core/json.ts';
import { splitLines } from '../core/lines.ts';
import type { CardDrop } from '../reports/export/dataset-card.ts';
import { decisionSchema, decisionsPath } from '../rows/decision.ts';

const longestLine = 2 ** 26;

/** Count what was left out of files of rows, by the decisions beside them; nothing is known of a file without. */
export async function droppedBefore(paths: readonly string[]): Promise<readonly CardDrop[]> {
  const counts = new Map<string, CardDrop>();
  for (const path of paths)
    for (const { step, reason } of await leftOutOf(decisionsPath(path))) {
      const key = `${step} ${reason}`;
      counts.set(key, { step, reason, rows: (counts.get(key)?.rows ?? 0) + 1 });
    }
  return [...counts.values()].sort((a, b) => b.rows - a.rows);
}

async function leftOutOf(path: string): Promise<readonly { readonly step: string; readonly reason: string }[]> {
  const found: { step: string; reason: string }[] = [];
  try {
    const lines = splitLines(fileBytes(path), longestLine);
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      const one = decisionSchema.safeParse(parseJson(next.value.text || 'null'));
      if (one.success && one.data.decision === 'left')
        found.push({ step: one.data.step, reason: one.data.reason ?? '' });
    }
  } catch {
    return found; // there is no such file, or it ends in the middle: the card says what is known
  }
  return found;
}
