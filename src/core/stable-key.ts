import { hash } from 'node:crypto';

/** Hash a text to hex digits that are compared as text: an order that looks random and is the same in every process. */
export function stableKey(text: string, salt = ''): string {
  return hash('sha256', `${salt}:${text}`, 'hex');
}
