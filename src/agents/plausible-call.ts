import { draw } from '../core/draws.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { Tool } from '../rows/tool.ts';
import { generateValue } from '../world/generate.ts';
import { isReferenceKey, nameWords, singular, verbOf } from '../world/names.ts';

/** Something a person would call a number or an id: it has a digit. */
const idLike = /[A-Za-z0-9#][\w#-]*\d[\w-]*/g;

/**
 * Choose one call that a message asks for: the tool whose words it shares most, reads before writes, with arguments the
 * schema accepts. What points at a thing is taken from the message, so that nothing is made up where the person said it.
 */
export function plausibleCall(
  tools: readonly Tool[],
  message: string,
  ...parts: readonly unknown[]
): { readonly tool: string; readonly arguments: JsonObject } {
  const heard = new Set(nameWords(message).map(singular));
  const scored = tools.map((tool, n) => ({ tool, score: score(tool, heard) - n / 1000 }));
  const { tool } = scored.reduce((best, one) => (one.score > best.score ? one : best));
  const made = generateValue(tool.parameters, { parts: [...parts, tool.name], requiredOnly: true }) as JsonObject; // a tool takes an object
  return { tool: tool.name, arguments: withNamed(made, message, parts) };
}

function score(tool: Tool, heard: ReadonlySet<string>): number {
  const { name, description } = termsOf(tool);
  const shared = (words: readonly string[]) => words.filter((word) => heard.has(word)).length;
  return 3 * shared(name) + Math.min(2, shared(description)) + (verbOf(tool.name) === 'read' ? 0.5 : 0);
}

const terms = new WeakMap<Tool, { readonly name: readonly string[]; readonly description: readonly string[] }>();

function termsOf(tool: Tool) {
  const before = terms.get(tool);
  if (before) return before;
  const distinct = (text: string) => [...new Set(nameWords(text).map(singular))];
  const read = { name: distinct(tool.name), description: distinct(tool.description) };
  terms.set(tool, read);
  return read;
}

function withNamed(args: JsonObject, message: string, parts: readonly unknown[]): JsonObject {
  const ids = message.match(idLike) ?? [];
  const words = message.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const named = ids.length > 0 ? ids : words;
  if (named.length === 0) return args;
  const one = (key: string) => named[Math.floor(draw('argument', key, ...parts) * named.length)] as string;
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      typeof value === 'string' && isReferenceKey(key) ? one(key) : value,
    ]),
  );
}
