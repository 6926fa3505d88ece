import { stringifyJson } from '../core/json.ts';
import { withoutAnswers } from '../rows/gold-columns.ts';
import type { Row } from '../rows/row.ts';
import { scrub } from '../rows/scrub.ts';
import { rowKey } from '../rows/task-key.ts';

/** The newest rollouts whole, as JSON text without answer keys, for whoever opens one. */
export interface NewestRows {
  add(row: Row): void;
  /** The JSON of a row; undefined when it is not kept any more. */
  text(id: string): string | undefined;
}

/** Keep the newest rows. Memory: `maxRows` and `maxChars` characters of JSON, whichever is less. */
export function newestRows({ maxRows = 5000, maxChars = 32_000_000 } = {}): NewestRows {
  const rows = new Map<string, string>();
  let chars = 0;
  const drop = (id: string): void => {
    chars -= rows.get(id)?.length ?? 0;
    rows.delete(id);
  };
  return {
    add(row) {
      const id = rowKey(row);
      const text = stringifyJson(withoutAnswers(scrub(row)));
      drop(id);
      if (text.length > maxChars) return;
      rows.set(id, text);
      chars += text.length;
      while (rows.size > maxRows || chars > maxChars) drop(rows.keys().next().value as string);
    },
    text: (id) => rows.get(id),
  };
}
