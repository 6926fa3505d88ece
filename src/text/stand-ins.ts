/** Words in kebab case also have hyphens and letters; a made key has digits among them. */
export const isMade = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value);

const marks = /^(?:[*x.<>{}$[\]_-]+|\$\{?\w+\}?|<.*>|\[.*\]|\{.*\}|\{\{.*|%\w+%?)$/i;
/** Types of a schema, answers of a form, the modes of `fetch`. */
const words =
  /^(?:string|str|text|bool|boolean|true|false|yes|no|null|none|nil|undefined|n\/a|required|optional|include|omit|same-origin|redacted|hidden|masked|your[ _-].*|your(?:password|secret|token|api|key)\w*)$/i;

/** Tell what people write where a secret was, or should go. */
export const isStandIn = (value: string): boolean => marks.test(value) || words.test(value);
