import { charactersIn } from '../core/characters-in.ts';
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

interface Kept {
  readonly row: Row;
  readonly chars: number;
}

/**
 * Keep the newest rows. Few are ever opened, so that each is written when somebody asks for it. Memory: `maxRows`, and
 * `maxChars` characters in them, whichever is less.
 */
export function newestRows({ maxRows = 5000, maxChars = 32_000_000 } = {}): NewestRows {
  const rows = new Map<string, Kept>();
  let chars = 0;
  const drop = (id: string): void => {
    chars -= rows.get(id)?.chars ?? 0;
    rows.delete(id);
  };
  return {
    add(row) {
      const id = rowKey(row);
      const size = charactersIn(row, perValue);
      drop(id);
      if (size > maxChars) return;
      rows.set(id, { row, chars: size });
      chars += size;
      while (rows.size > maxRows || chars > maxChars) drop(rows.keys().next().value as string);
    },
    text(id) {
      const kept = rows.get(id);
      return kept && stringifyJson(withoutAnswers(scrub(kept.row)));
    },
  };
}

const perValue = 8; // what JSON writes around one: quotes, a comma, a number
