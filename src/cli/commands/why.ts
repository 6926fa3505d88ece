import { z } from 'zod';
import { TracemillError } from '../../core/errors.ts';
import { stringifyJson } from '../../core/json.ts';
import type { GateDecision } from '../../rows/decision.ts';
import { decisionsAbout, type FoundDecision } from '../../sources/decisions.ts';
import { visible } from '../../text/visible.ts';
import { defineCommand } from '../command.ts';
import { exits } from '../io.ts';

const options = z.strictObject({
  in: z.string().min(1).default('out').describe('Folder to look in, with all below it.'),
  json: z.boolean().default(false).describe('Write the decisions to stdout as JSON.'),
});

export const whyCommand = defineCommand({
  name: 'why',
  args: '<row-id>',
  summary:
    'Tell why a row is in a set, or is not: its source, its situation, its judge, and every gate with its numbers.',
  options,
  examples: ['tracemill why 3f2a9c1b77de', 'tracemill why 3f2a9c1b77de --in training --json'],
  async run([rowId = ''], { in: folder, json }, io) {
    const found = await decisionsAbout(rowId, folder);
    if (found.length === 0)
      throw new TracemillError(
        'TM_SOURCE',
        `${rowId}: no decision about it in ${folder}. A row is named by its rollout_id, or by scenario_id#rollout_index`,
      );
    if (json) io.out(`${stringifyJson({ row_id: rowId, decisions: found })}\n`);
    else for (const line of wordsFor(rowId, found)) io.out(`${visible(line)}\n`);
    return exits.done;
  },
});

function wordsFor(rowId: string, found: readonly FoundDecision[]): readonly string[] {
  const { source, situation, judge, task } = (found[0] as FoundDecision).decision; // there is one
  return [
    `Row ${rowId} of task ${task}`,
    `  source     ${wordsOf(source)}`,
    `  situation  ${wordsOf(situation)}`,
    `  judge      ${judge === null ? 'nobody graded it' : wordsOf(judge)}`,
    ...found.flatMap(({ decision: { step, decision, by, reason, gates, file, line }, found_in }) => [
      decision === 'kept'
        ? `${step}: kept by ${by}${file === null ? '' : `, in ${file}${line ? ` from line ${line}` : ''}`}`
        : `${step}: left out by ${by}: ${reason ?? 'no reason'}`,
      ...gates.map(gateWords),
      `  (${found_in})`,
    ]),
  ];
}

const gateWords = ({ gate, passed, reason, numbers }: GateDecision): string =>
  `  ${passed ? 'passed' : 'no    '}  ${gate}${reason ? ` (${reason})` : ''}${numbers ? `: ${wordsOf(numbers)}` : ''}`;

/** Fields in one line; those that hold fields as JSON. */
function wordsOf(fields: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => `${key} ${typeof value === 'object' ? stringifyJson(value) : String(value)}`);
  return words.join(', ') || 'not known';
}
