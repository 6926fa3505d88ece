const escapes = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g;

/**
 * Put U+FFFD in the place of half characters in JSON text as `stringifyJson` writes it: there only a lone surrogate is written
 * as `\ud800` to `\udfff`, and readers of JSON other than JavaScript refuse the whole file for one of them.
 */
export const wellFormedJson = (text: string): string =>
  text.includes('\\ud') ? text.replace(escapes, (all, half?: string) => (half === undefined ? all : '\ufffd')) : text;
