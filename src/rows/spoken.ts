/** What a reply says when its thinking is left out. */
export interface Spoken {
  readonly text: string;
  /** True when a `<think>` block was never closed: what follows it is thinking, so the reply was cut before the answer. */
  readonly isCut: boolean;
}

/** Leave the thinking out of a reply: closed `<think>` blocks in any case, then an unclosed one to the end. One pass. */
export function spokenOf(reply: string): Spoken {
  const [open, close] = [/<think>/gi, /<\/think>/gi];
  let [text, from] = ['', 0];
  for (let start = open.exec(reply); start; start = open.exec(reply)) {
    text += reply.slice(from, start.index);
    close.lastIndex = open.lastIndex;
    if (!close.exec(reply)) return { text, isCut: true };
    from = close.lastIndex;
    open.lastIndex = from;
  }
  return { text: text + reply.slice(from), isCut: false };
}
