/** Say whether a text holds ASCII characters alone: most do, and need no look at Unicode tables. */
export const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);
