const yes = new Set(['true', 'yes', 'met', '1', 'pass']);
const no = new Set(['false', 'no', 'not met', 'unmet', '0', 'fail', '']);

/** Read a verdict on one criterion, the one rule for score and markers; null when it says neither. */
export function truthOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value > 0 : null;
  const word = typeof value === 'string' ? value.trim().toLowerCase().replaceAll('_', ' ') : undefined;
  if (word === undefined) return null;
  return yes.has(word) ? true : no.has(word) && word !== '' ? false : null;
}
