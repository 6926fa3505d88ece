const block = /<think>([\s\S]*?)<\/think>/gi;
const openBlock = /<think>/i;

/** A model's text without its thoughts, and what was taken out. */
export interface Reasoned {
  readonly spoken: string;
  /** Closed blocks that held something. */
  readonly closed: number;
  /** The last block never ended: all from it on is thought. */
  readonly unclosed: boolean;
}

/** Take `<think>` blocks out of a text: closed ones, and an open one to the end. */
export function splitReasoning(text: string): Reasoned {
  if (!openBlock.test(text)) return { spoken: text, closed: 0, unclosed: false };
  let closed = 0;
  const without = text.replace(block, (_all, thought: string) => {
    if (thought.trim() !== '') closed++;
    return '';
  });
  const at = without.search(openBlock);
  return { spoken: (at < 0 ? without : without.slice(0, at)).trim(), closed, unclosed: at >= 0 };
}
