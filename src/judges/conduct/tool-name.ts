import { nameWords } from '../../world/names.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const reading = words(
  'get read list inspect search fetch find show describe cat view lookup look check query retrieve load count verify validate status is has preview compare estimate calculate compute summarise summarize translate explain whoami ping health browse scan detect classify predict suggest recommend history',
);
const changing = words(
  'create generate write add upload insert make post new update edit set delete remove drop destroy send pay refund transfer book cancel execute run',
);

/** The words of a tool's own name: what stands before the last `.`, `/`, `:` is where it lives. */
export const toolWords = (tool: string): readonly string[] => nameWords(tool.split(/[./:]/).at(-1) ?? tool);

/** Say whether a tool only looks, by the first word of its name. Every other tool writes. */
export function isReadTool(tool: string): boolean {
  const [first = '', second] = toolWords(tool);
  return reading.has(first) || (first === 'export' && second === 'report');
}

/** Say whether a tool changes something, by the first word of its name. */
export const isStateTool = (tool: string): boolean => changing.has(toolWords(tool)[0] ?? '');
