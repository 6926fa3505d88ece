import { fieldsOf, isObject, type JsonObject, listOf } from '../fields.ts';
import { type FileFormat, type Finding, rejected } from '../format.ts';
import { toolsOf } from '../tool-definition.ts';

const isSide = (value: unknown) => typeof value === 'string' || Array.isArray(value);
const isFineTuning = (value: JsonObject) =>
  Array.isArray(fieldsOf(value['input'])['messages']) &&
  isSide(value['preferred_output']) &&
  isSide(value['non_preferred_output']);
const isPlain = (value: JsonObject) =>
  isSide(value['prompt']) && isSide(value['chosen']) && isSide(value['rejected']) && !('instruction' in value);
const isPair = (value: unknown): value is JsonObject => isObject(value) && (isFineTuning(value) || isPlain(value));

/**
 * Preference pairs: of OpenAI fine-tuning, `input`, `preferred_output` and `non_preferred_output`; of TRL, `prompt`, `chosen` and
 * `rejected`, each messages or text.
 */
export const preference: FileFormat = {
  name: 'preference',
  unit: 'record',
  detect: ({ values }) => values.some(isPair),
  read(value) {
    if (!isPair(value)) return rejected('invalid_record', value);
    const { prompt, input, chosen, preferred_output, rejected: lost, non_preferred_output, tools, ...rest } = value;
    const given = isFineTuning(value) ? fieldsOf(input) : { messages: prompt };
    const sides = isFineTuning(value) ? [preferred_output, non_preferred_output] : [chosen, lost];
    const [better = [], worse = []] = sides.map((side) => turnsOf(side, 'assistant'));
    if (better.length === 0 || worse.length === 0) return rejected('empty_conversation', value);
    const declared = toolsOf(given['tools'] ?? tools);
    const pair = { ...rest, prompt: turnsOf(given['messages'], 'user'), chosen: better, rejected: worse };
    return found(declared.length > 0 ? { ...pair, tools: declared } : pair);
  },
};

const turnsOf = (side: unknown, role: string): readonly unknown[] =>
  typeof side === 'string' ? [{ role, content: side }] : listOf(side).filter(isObject);

const found = (pair: JsonObject): readonly Finding[] => [{ kind: 'pair', pair }];
