/** A fenced block of a text. */
export interface Fence {
  /** First word after the opening marks, lower case; `''` without one. */
  readonly tag: string;
  readonly body: string;
}
interface Open {
  readonly tag: string;
  readonly lines: string[];
}
const marks = '```';

/** Read the fenced blocks of a text in order, also one that was never closed. Linear in the text. */
export function fences(text: string): Fence[] {
  const found: Fence[] = [];
  let open: Open | undefined;
  for (const line of text.split('\n')) {
    if (!open) {
      const start = startOf(line);
      if (start && 'lines' in start) open = start;
      else if (start) found.push(start);
    } else if (isEnd(line, open)) {
      found.push(closed(open));
      open = undefined;
    } else open.lines.push(line);
  }
  if (open) found.push(closed(open));
  return found;
}

/** A block that this line opens, or one that stands on it whole. */
function startOf(line: string): Open | Fence | undefined {
  const at = line.indexOf(marks);
  if (at < 0) return undefined;
  const rest = line.slice(at).replace(/^`+/, '');
  const end = rest.indexOf(marks);
  if (end < 0) return { tag: (/^[ \t]*([\w.+#-]*)/.exec(rest)?.[1] ?? '').toLowerCase(), lines: [] };
  const inside = rest.slice(0, end);
  const tag = /^[\w.+#-]+(?=[ \t])/.exec(inside)?.[0] ?? '';
  return { tag: tag.toLowerCase(), body: inside.slice(tag.length) };
}

/** The marks stand alone, or after the last of the body. */
function isEnd(line: string, open: Open): boolean {
  const trimmed = line.trimEnd();
  if (!trimmed.endsWith(marks)) return false;
  let end = trimmed.length;
  while (trimmed[end - 1] === '`') end--;
  if (trimmed.slice(0, end).trim() !== '') open.lines.push(trimmed.slice(0, end));
  return true;
}

const closed = ({ tag, lines }: Open): Fence => ({ tag, body: lines.join('\n') });
