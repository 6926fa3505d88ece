import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/**
 * Hash the parts of an identity to hex digits: equal parts give equal ids in every process, and no two lists of parts
 * are confused by where one part ends. 16 digits (64 bits) stay apart for some hundred million rows.
 *
 * @source house rule
 */
export function idOf(parts: readonly unknown[], digits = 16): string {
  return hash('sha256', canonicalJson(parts), 'hex').slice(0, digits);
}
