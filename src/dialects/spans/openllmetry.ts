import { fieldsOf, textOf } from '../fields.ts';
import { indexedList } from '../indexed-attributes.ts';
import { exchangeOf, type SpanDialect } from './exchange.ts';

/** OpenLLMetry (Traceloop): one attribute for each field of each message; only the first completion counts. */
export const openllmetry: SpanDialect = {
  name: 'openllmetry',
  read({ attributes }) {
    const given = indexedList(attributes, 'gen_ai.prompt');
    const [answer] = indexedList(attributes, 'gen_ai.completion');
    const answered = answer === undefined ? [] : [{ role: 'assistant', ...fieldsOf(answer) }];
    return exchangeOf(given, answered, { finish: textOf(fieldsOf(answer)['finish_reason']) });
  },
};
