import { randomUUID } from 'node:crypto';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { contentText } from '../../rows/content-text.ts';
import { deliveryKey } from '../../rows/delivery-key.ts';
import { type Row, rowSchema } from '../../rows/row.ts';
import { stepsFromMessages } from '../../rows/steps-from-messages.ts';

/** Rows to be judged, or what is wrong with the request. */
export type JudgeRequest = { readonly rows: readonly Row[] } | { readonly error: string };

const notColumns = new Set(['prompts', 'completions', 'completion_ids', 'trainer_state', 'row', 'rows']);

/**
 * Read what is to be judged: one row, a list of rows, `{rows: [...]}`, or `{prompts, completions, ...columns}` as the reward
 * functions of trainers have them: a prompt and a completion are each a text or a list of messages, and a column is a list
 * with one value for each completion, or one value for all.
 */
export function judgeRequest(body: unknown): JudgeRequest {
  if (isObject(body) && 'completions' in body) return trainerRows(body);
  const given = Array.isArray(body) ? body : isObject(body) ? (body['rows'] ?? [body['row'] ?? body]) : undefined;
  if (!Array.isArray(given)) return { error: 'a row, a list of rows, or prompts and completions are wanted' };
  const rows: Row[] = [];
  for (const [n, one] of given.entries()) {
    const row = rowSchema.safeParse(one);
    if (!row.success)
      return { error: `row ${n}: ${row.error.issues[0]?.path.join('.')}: ${row.error.issues[0]?.message}` };
    // a request asks about each rollout once: two of the same text are two
    rows.push(deliveryKey(row.data) === undefined ? { ...row.data, rollout_id: randomUUID() } : row.data);
  }
  return { rows };
}

function trainerRows(body: JsonObject): JudgeRequest {
  const { completions } = body;
  const prompts = body['prompts'] ?? [];
  if (!Array.isArray(completions) || !Array.isArray(prompts)) return { error: 'prompts and completions are lists' };
  if (prompts.length > 0 && prompts.length !== completions.length)
    return { error: `${prompts.length} prompts and ${completions.length} completions` };
  const columns = Object.entries(body).filter(([name]) => !notColumns.has(name));
  const uneven = columns.find(([, value]) => Array.isArray(value) && value.length !== completions.length);
  if (uneven) return { error: `the column ${uneven[0]} does not have one value for each completion` };
  const rows = completions.map((completion, n) => {
    const own = columns.map(([name, value]) => [name, Array.isArray(value) ? value[n] : value]);
    return rowOf(prompts[n] ?? '', completion, Object.fromEntries(own));
  });
  return judgeRequest(rows);
}

function rowOf(prompt: unknown, completion: unknown, columns: JsonObject): JsonObject {
  const before = messagesOf(prompt, 'user');
  const said = messagesOf(completion, 'assistant');
  const asked = before.findLast(({ role }) => role === 'user');
  return {
    ...columns,
    prompt: contentText(asked?.['content'] ?? ''),
    final_text:
      typeof completion === 'string'
        ? completion
        : said
            .map(({ content }) => contentText(content))
            .join('\n')
            .trim(),
    steps: stepsFromMessages(said),
    messages: [...before, ...said],
  };
}

const messagesOf = (value: unknown, role: string): readonly JsonObject[] =>
  Array.isArray(value)
    ? value.filter(isObject)
    : typeof value === 'string' && value !== ''
      ? [{ role, content: value }]
      : [];
