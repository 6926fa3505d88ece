const saysAnswer = /\b(?:answer|result|solution)\b[\s*_]*(?:is|=|:)[ \t]*[:=]?/gi;
const box = /\\f?box(?:ed)?$/;

/**
 * Find the answer in a reply: the body of the last closed `\boxed{}` or `\fbox{}`; else what follows the last "answer is",
 * "result:" or "solution =" up to the end of the line or sentence; else the last line that is not empty. Null for an empty
 * text. Linear in the text.
 *
 * @source rlhfbook ch. 7
 */
export function extractAnswer(text: string): string | null {
  return lastBox(text) ?? saidAnswer(text) ?? (text.trim().split('\n').at(-1)?.trim() || null);
}

/** The body of the last box that is closed, at any depth of braces. One pass. */
export function lastBox(text: string): string | undefined {
  const open: { readonly at: number; readonly isBox: boolean }[] = [];
  let last: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (mark === '\\' && /[{}\\]/.test(text[at + 1] ?? '')) at++;
    else if (mark === '{') open.push({ at, isBox: isBoxBefore(text, at) });
    else if (mark === '}') {
      const start = open.pop();
      if (start?.isBox) last = text.slice(start.at + 1, at);
    }
  }
  return last;
}

function isBoxBefore(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 12), at).trimEnd();
  return box.test(before) && !before.endsWith('\\box');
}

function saidAnswer(text: string): string | undefined {
  const last = [...text.matchAll(saysAnswer)].at(-1);
  if (!last) return undefined;
  const [line = ''] = text.slice(last.index + last[0].length).split('\n', 1);
  const end = line.search(/\.(?!\d)/);
  const said = end < 0 ? line : line.slice(0, end);
  return said.replace(/\$|\*\*/g, '').trim() || undefined;
}
