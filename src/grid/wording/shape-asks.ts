import type { Ask } from '../../rows/ask.ts';
import type { Cell, Situation } from '../../rows/situation.ts';
import type { Tool } from '../../rows/tool.ts';
import { unspecified } from '../axes.ts';
import { scenarioId } from '../plan.ts';
import { askOf, templateWriter, writeAsk } from './write-ask.ts';

const provenances = ['user', 'absent'] as const;
const redraws = 24;

/**
 * Ask for the shapes of action that an agent may take: one tool or two in a row, with the reference given or missing, and
 * with the person's yes beforehand or without. Shorter shapes first; each once.
 *
 * @source house rule
 */
export function* shapeAsks(tools: readonly Tool[], seed: number): Generator<Ask> {
  for (const confirmed of [false, true])
    for (const provenance of provenances)
      for (const tool of tools) yield shapeAsk([tool], provenance, confirmed, tools, seed);
  for (const provenance of provenances)
    for (const first of tools)
      for (const second of tools) if (first !== second) yield shapeAsk([first, second], provenance, false, tools, seed);
}

function shapeAsk(
  sequence: readonly Tool[],
  provenance: (typeof provenances)[number],
  confirmed: boolean,
  tools: readonly Tool[],
  seed: number,
): Ask {
  const [first] = sequence.map((tool) => plain(tool.name));
  const parts = sequence.map((tool, n) => words(plain(tool.name), { tools, seed, from: n * redraws }, provenance));
  const situation = first ?? plain('unrelated');
  const said = parts.map((text, n) => (n === 0 ? text : `After that: ${text}`)).join(' ');
  const prompt = confirmed ? `${said} I confirm it right away, no need to ask back.` : said;
  return askOf(situation, prompt, {
    seed,
    arm: 'behavior_targeted',
    selection_reason: `shape ${sequence.map(({ name }) => name).join('>')} ${provenance}${confirmed ? ' confirmed' : ''}`,
    writer_model: templateWriter,
    ask_family: 'tool',
    intent_known: true,
    tool_known: true,
  });
}

/** Draw wordings until the reference is there, or is not. */
function words(
  situation: Situation,
  run: { readonly tools: readonly Tool[]; readonly seed: number; readonly from: number },
  provenance: (typeof provenances)[number],
): string {
  const wants = provenance === 'user';
  let text = '';
  for (let n = 0; n < redraws; n++) {
    text = writeAsk(situation, { ...run, phrasing: 10_000 + run.from + n, texture: 0 }).prompt;
    if (/\d{4}/u.test(text) === wants) return text;
  }
  return text;
}

/** The cell in which nothing but the tool is special. */
function plain(tool: string): Situation {
  const cell: Cell = {
    tool,
    rule: unspecified,
    stance: 'ordinary',
    world_state: 'entity exists',
    tool_condition: 'success',
    history: 'fresh',
  };
  return { scenario_id: scenarioId(cell), scenario_dimensions: cell, tier: 'ordinary' };
}
