import { isObject } from '../../core/json-object.ts';

/** Share of the rows in which the agent speaks first, 0 without rows. */
export function openingShare(rows: readonly unknown[]): number {
  const objects = rows.filter(isObject);
  const opened = objects.filter(({ messages, opener, opening }) => {
    const first = Array.isArray(messages)
      ? messages.find((one) => isObject(one) && one['role'] !== 'system')
      : undefined;
    if (isObject(first)) return first['role'] === 'assistant';
    return opening === 'agent' || (typeof opener === 'string' && opener !== '');
  });
  return objects.length === 0 ? 0 : opened.length / objects.length;
}
