import { isObject } from '../../core/json-object.ts';
import { type Draws, lengthOf, toneVoices } from '../../grid/wording/labels.ts';
import { luckOf } from '../../grid/wording/luck.ts';
import { typed } from '../../grid/wording/textures.ts';
import type { Card } from './cards.ts';

const [fewest, most] = [8, 4000]; // characters of an ask
const leak = 28; // characters that an ask may share with its card or the scene

const assistantVoice =
  /^(?:how (?:can|may) i (?:help|assist)|as an ai\b|i(?:['’]d| would) be happy to (?:help|assist)|certainly[!,]|sure[!,] (?:i|here)|here (?:is|are) (?:the|your|a) (?:message|ask|request))/iu;
const acknowledgement = /^(?:ok(?:ay)?|thanks?|thank you|got it|great|perfect|sounds good|noted)[\s.!,]*$/iu;

/** What one ask of a model came to: its words and the labels that show in them, or why it is not taken. */
export type Accepted =
  | { readonly text: string; readonly labels: Readonly<Record<string, string>> }
  | { readonly why: 'length' | 'voice' | 'leak' | 'tags' };

/** The text of one entry of a reply: a message, or a list of turns, which a person says one after the other. */
export function messageOf(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  if (!isObject(entry)) return '';
  const { message, prompt, text, turns } = entry;
  const list = Array.isArray(turns) ? turns.map(messageOf).filter((one) => one !== '') : [];
  const single = [message, prompt, text, entry['content']].find((one) => typeof one === 'string');
  return list.length > 0 ? list.join('\n<USER_TURN>\n') : typeof single === 'string' ? single : '';
}

/** Check an ask against its card, and type it as the person types. Labels that its words do not show are left off. */
export function accepted(message: string, { text: card, draws, situation }: Card, scene: string): Accepted {
  const said = message.trim().replace(/^["“]([\s\S]*)["”]$/u, '$1');
  if (said.length < fewest || said.length > most) return { why: 'length' };
  if (assistantVoice.test(said) || acknowledgement.test(said)) return { why: 'voice' };
  if (sharesRun(said, card) || sharesRun(said, scene)) return { why: 'leak' };
  if (draws.length !== undefined && draws.length !== 'medium' && lengthOf(said) !== draws.length)
    return { why: 'tags' };
  const luck = luckOf(situation.scenario_id, said, 'typing');
  const shown = draws.texture && draws.texture !== 'standard' ? typed(said, draws.texture, luck) : undefined;
  const text = shown ?? said;
  return { text, labels: labelsIn(text, draws, shown !== undefined) };
}

function labelsIn(text: string, { length, tone, texture }: Draws, isTyped: boolean): Readonly<Record<string, string>> {
  const voiced = tone !== undefined && toneVoices[tone].short.some((words) => text.toLowerCase().includes(words));
  return {
    ...(length && { length: lengthOf(text) }),
    ...(voiced && { tone }),
    ...(texture === 'standard' || (texture && isTyped) ? { texture } : {}),
  };
}

/** Whether two texts share a run of characters that only copying explains. */
function sharesRun(text: string, source: string): boolean {
  const [a, b] = [folded(text), folded(source)];
  for (let at = 0; at + leak <= a.length; at += 4) if (b.includes(a.slice(at, at + leak))) return true;
  return false;
}
const folded = (text: string): string => text.toLowerCase().replace(/\s+/gu, ' ');
