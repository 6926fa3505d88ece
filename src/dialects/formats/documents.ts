import { isObject, written } from '../fields.ts';
import type { FileFormat } from '../format.ts';

/** JSON Schema documents: about messages, and none themselves. */
export const jsonSchema: FileFormat = {
  name: 'json-schema',
  unit: 'record',
  detect: ({ container, first }) =>
    container === 'object' && isObject(first) && ('$defs' in first || '$schema' in first || 'definitions' in first),
  read: (document) => [{ kind: 'document', document }],
};

/** Plain text: the policy of an agent, or anything else that a person wrote. */
export const plainText: FileFormat = {
  name: 'text',
  unit: 'record',
  detect: ({ container }) => container === 'text',
  read: (text) => [{ kind: 'policy', text: written(text) }],
};
