import { isObject } from '../../core/json-object.ts';

/**
 * Read the policy of an agent off its traces: the system prompt that most of them show; of several as frequent, the first.
 * Empty where none shows one.
 *
 * @source house rule
 */
export function policyFromTraces(rows: readonly unknown[]): string {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const policy = policyOf(row);
    if (policy !== '') counts.set(policy, (counts.get(policy) ?? 0) + 1);
  }
  let most = { policy: '', n: 0 };
  for (const [policy, n] of counts) if (n > most.n) most = { policy, n };
  return most.policy;
}

function policyOf(row: unknown): string {
  if (!isObject(row)) return '';
  const { system_prompt, messages } = row;
  if (typeof system_prompt === 'string') return system_prompt.trim();
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined;
  const isSystem = isObject(first) && (first['role'] === 'system' || first['role'] === 'developer');
  return isSystem && typeof first['content'] === 'string' ? first['content'].trim() : '';
}
