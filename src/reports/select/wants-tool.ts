import { isObject, type JsonObject } from '../../core/json-object.ts';

const strongAction = /\b(?:merge|refund|schedule|commit|deploy|rebase|checkout)\b/i;
/** `AB-12`, `AB_12`, `#12`, `ord-x`, `asin`, `pr 12`: something that only a tool can look up. */
const idShape = /\b[A-Z]{1,10}[-_]\d+\b|#\d+\b|\b[oO][rR][dD]-\w+|\b[aA][sS][iI][nN]\b|\b[pP][rR]\s?#?\d+\b/;

/** Say whether a text asks for an action, or names a record by an id. */
export const isActionable = (text: string): boolean => strongAction.test(text) || idShape.test(text);

/** Say whether the situation of a row cannot be answered without a tool. */
export function wantsTool(row: JsonObject): boolean {
  const state = row['world_state'];
  const dimensions = isObject(row['scenario_dimensions']) ? row['scenario_dimensions'] : {};
  return (
    row['tool_known'] === true ||
    row['ask_family'] === 'tool' ||
    isFilled(row['faults']) ||
    (typeof state === 'string' && !['', 'unspecified', 'unknown'].includes(state)) ||
    Boolean(dimensions['intent']) ||
    Boolean(dimensions['tool']) ||
    isActionable(String(row['prompt'] ?? ''))
  );
}

const isFilled = (value: unknown): boolean => (isObject(value) ? Object.keys(value).length > 0 : Boolean(value));
