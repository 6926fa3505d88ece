import type { CallMade } from '../../../rows/calls-made.ts';
import { nameWords } from '../../../text/name-words.ts';

/** What a call does to files and the machine; null when it does neither. */
export type StepKind = 'read' | 'write' | 'delete' | 'command';
export const stepKinds = ['read', 'write', 'delete', 'command'] as const;

const commandKeys = ['command', 'cmd', 'script', 'shell'] as const;
const pathKeys = ['path', 'file_path', 'filepath', 'file', 'filename', 'target', 'target_file'] as const;
const contentKeys = ['content', 'contents', 'new_string', 'new_str', 'text', 'data', 'body', 'code'] as const;
const verbs: readonly (readonly [StepKind, RegExp])[] = [
  ['delete', /^(?:delete|remove|rm|unlink|drop)$/],
  [
    'command',
    /^(?:run|exec|execute|shell|bash|command|terminal|subprocess|(?:ba|z|k|c|da|fi|pw|power)?sh|powershell)$/,
  ],
  ['write', /^(?:write|edit|create|save|put|patch|replace|append|insert)$/],
  ['read', /^(?:read|cat|open|view|show|load|list)$/],
];

/** Say what a call does, by its arguments and the words of its name; `kinds` overrides by tool name. */
export function stepKind(call: Pick<CallMade, 'tool' | 'arguments'>, kinds: Readonly<Record<string, StepKind>> = {}) {
  const given = Object.hasOwn(kinds, call.tool) ? kinds[call.tool] : undefined;
  if (given) return given;
  const name = kindByName(call.tool);
  if (commandOf(call) !== undefined && (name === null || name === 'command')) return 'command';
  const path = pathOf(call);
  if (name === 'delete' && path !== undefined) return 'delete';
  if (path !== undefined && contentOf(call) !== undefined) return 'write';
  return name ?? (path === undefined ? null : 'read');
}

/** The shell line a call runs. */
export const commandOf = (call: Pick<CallMade, 'arguments'>) => textAt(call, commandKeys);
/** The file a call works on. */
export const pathOf = (call: Pick<CallMade, 'arguments'>) => textAt(call, pathKeys);
/** What a call writes. */
export const contentOf = (call: Pick<CallMade, 'arguments'>) => textAt(call, contentKeys);

const known = new Map<string, StepKind | null>();
const maxKnown = 10_000; // an agent has few tools; a log may name anything

function kindByName(tool: string): StepKind | null {
  const before = known.get(tool);
  if (before !== undefined) return before;
  if (known.size >= maxKnown) known.clear();
  const kind = readName(tool);
  known.set(tool, kind);
  return kind;
}

function readName(tool: string): StepKind | null {
  const words = nameWords(tool);
  if (/^(?:get_?file|update_?file)$/.test(words.join('_'))) return words[0] === 'get' ? 'read' : 'write';
  for (const [kind, verb] of verbs) if (words.some((word) => verb.test(word))) return kind;
  return null;
}

function textAt({ arguments: given }: Pick<CallMade, 'arguments'>, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = given[key];
    if (typeof value === 'string') return value;
    if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string'))
      return value.join(' ');
  }
  return undefined;
}
