const hidden = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Show control and direction marks as boxes: a text can then neither move a cursor nor turn what stands beside it. */
export const visible = (text: string): string => text.replace(hidden, '\u25a1');
