import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { canonicalJson } from '../../core/canonical-json.ts';
import { accumulate } from '../../core/fold.ts';
import { stringifyJson } from '../../core/json.ts';
import { ingestStages } from '../../pipelines/ingest.ts';
import { type Contents, contentsByFile, contentsFold } from '../../reports/contents.ts';
import { nextMeta, type RunMeta } from '../../rows/run-meta.ts';
import { rowsSink } from '../../sinks/rows.ts';
import { writeRunMeta } from '../../sinks/run-meta.ts';
import { filesSource } from '../../sources/files/index.ts';
import { readRunMeta } from '../../sources/run-meta.ts';
import { redactor } from '../../text/redact.ts';
import { defineCommand } from '../command.ts';
import { found } from '../found.ts';
import { hubAccess, tokenFileFlag } from '../hub-access.ts';
import { exits } from '../io.ts';
import { type RejectionCount, rejectionTable } from '../rejections.ts';
import { checkNotRead, makeFolderOf, rejectedBeside, rowsOf, runRows } from '../run-rows.ts';
import { saltFlag, saltOf } from '../salt.ts';
import { checkSameRun } from '../same-run.ts';
import { table } from '../table.ts';

const options = z.strictObject({
  out: z.string().min(1).default('-').describe('File of rows to write; - is stdout.'),
  format: z.string().optional().describe('Format of all files. Without it each file is read as what it holds.'),
  personal: z.boolean().default(false).describe('Redact personal data too; secrets always are.'),
  salt: saltFlag,
  toolsOut: z.string().optional().describe('Write the tool list found on the way to this file.'),
  policyOut: z.string().optional().describe('Write the system prompt found on the way to this file.'),
  resume: z.boolean().default(false).describe('Go on with an import that was stopped.'),
  tokenFile: tokenFileFlag,
  json: z.boolean().default(false).describe('Write the counts to stdout as JSON; needs --out.'),
});

export const importCommand = defineCommand({
  name: 'import',
  args: '<file...>',
  summary: 'Read files of other stacks as rows: one for each trajectory, with where it came from.',
  options,
  examples: [
    'tracemill import traces.jsonl --out out/rows.jsonl',
    'tracemill import "results/*.json" --out out/rows.jsonl',
    'tracemill import hf://owner/name#train --out out/rows.jsonl',
  ],
  async run(paths, { out, format, personal, salt, resume, json, tokenFile, ...outs }, io) {
    const settings = { files: paths, ...(format !== undefined && { format }), personal };
    if (resume) {
      await checkNotRead(paths, out);
      await checkSameRun(out, 'import', settings);
    }
    await makeFolderOf(out);
    const about = found();
    const total = accumulate(contentsFold);
    const byFile = accumulate(contentsByFile);
    const secret = saltOf(salt);
    const redact = redactor({ salt: secret, personal, rules: [] });
    const sink = rowsSink(
      { path: out, isResumed: resume },
      {
        stop: io.stop,
        tell(row) {
          about.row(row);
          total.add(row);
          byFile.add(row);
        },
      },
    );
    await sink.open();
    const { counts, rejected, isStopped } = await runRows(io, {
      source: filesSource(
        { paths: [...paths], ...(format !== undefined && { format }) },
        about.finding,
        await hubAccess(tokenFile),
      ),
      stages: ingestStages({ salt: secret, personal }),
      sinks: { traces: sink },
      rejected: rejectedBeside(out, { isResumed: resume, clean: (row) => redact(row).value }),
      words: (now) => `import: ${rowsOf(now, 'redact', 'out')} rows`,
    });
    const agent = about.end();
    const { tools, systemPrompt } = agent;
    if (outs.toolsOut) await writeFile(outs.toolsOut, `${stringifyJson(tools)}\n`);
    if (outs.toolsOut && tools.length === 0) io.say(`No list of tools was found: ${outs.toolsOut} holds an empty one.`);
    if (outs.policyOut) await writeFile(outs.policyOut, systemPrompt ?? '');
    if (outs.policyOut && systemPrompt === undefined) io.say(`No policy was found: ${outs.policyOut} is empty.`);
    if (out !== '-') {
      const meta = nextMeta(undefined, 'import', settings);
      await writeRunMeta(out, { ...meta, ...agentMeta(agent, resume ? await readRunMeta(out) : undefined) });
    }
    const others = counts.find(({ operator }) => operator === 'files')?.counts ?? {};
    const report = {
      ...total.end(),
      system_prompts: agent.prompts,
      tool_lists: agent.lists,
      warnings: agentWarnings(agent, outs),
      others,
      files: Object.fromEntries(byFile.end()),
      rejected,
    };
    if (json && out !== '-') io.out(`${stringifyJson(report)}\n`);
    else say(report, io.say);
    if (json && out !== '-') for (const said of report.warnings) io.say(`Warning: ${said}`);
    const isNothing = report.n_rows === 0 && rejected.length > 0 && Object.keys(others).length === 0 && !resume;
    if (isNothing) io.say('\nNothing was read: all of it was rejected.');
    else if (out !== '-') io.say(`\nRows: ${out}. Next: tracemill ${nextOf(report, out)}`);
    if (!isStopped) return isNothing ? exits.worldFailed : exits.done;
    const same = [
      ...(format === undefined ? [] : ['--format', format]),
      ...(personal ? ['--personal'] : []),
      '--salt',
      secret,
    ];
    io.say(`Stopped. Go on with: tracemill import ${paths.join(' ')} --out ${out} ${same.join(' ')} --resume`);
    return exits.stopped;
  },
});

type FoundAgent = ReturnType<ReturnType<typeof found>['end']>;

/** What the settings beside the rows say of the agent. What only some of the rows say is no setting of all of them. */
function agentMeta({ tools, sharedPrompt, hasSharedTools, policy }: FoundAgent, earlier: RunMeta | undefined) {
  const isSame = (a: unknown, b: unknown) => canonicalJson(a ?? null) === canonicalJson(b ?? null);
  const isShared = earlier === undefined || policy !== undefined || isSame(earlier.system_prompt, sharedPrompt);
  const isByRow = !hasSharedTools || (earlier !== undefined && !isSame(earlier.tools, tools));
  return {
    system_prompt: (isShared ? sharedPrompt : undefined) ?? null,
    tools: [...tools],
    ...(tools.length > 0 && isByRow && { tools_by_row: true }),
  };
}

/** What a reader of one prompt, or of one list of tools, would get wrong. */
function agentWarnings(
  { prompts, lists, policy }: FoundAgent,
  { toolsOut, policyOut }: { readonly toolsOut?: string | undefined; readonly policyOut?: string | undefined },
): readonly string[] {
  const manyPrompts = `the rows have ${prompts.n} different system prompts: `;
  const manyLists = `the rows have ${lists.n} different lists of tools: `;
  return [
    ...(policyOut !== undefined && policy === undefined && prompts.n > 1
      ? [`${manyPrompts}${policyOut} holds the first of them, each row keeps its own`]
      : []),
    ...(toolsOut !== undefined && lists.n > 1
      ? [`${manyLists}${toolsOut} holds the tools of all of them, each row keeps its own`]
      : []),
  ];
}

interface Report extends Contents {
  readonly files: Readonly<Record<string, Contents>>;
  readonly rejected: readonly RejectionCount[];
  /** What the files held besides rows, by kind: tools, tasks, labels, pairs, policies. */
  readonly others: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

/** Rows that nobody graded have nothing to report. */
const nextOf = ({ n_graded, n_rows }: Contents, out: string): string =>
  n_graded === 0 && n_rows > 0 ? `grade ${out} --out ${out.replace(/\.jsonl$/, '')}.graded.jsonl` : `report ${out}`;

function say({ files, rejected, others, warnings, ...total }: Report, line: (text: string) => void): void {
  const lineOf = (name: string, one: Contents) => [
    name,
    ...[one.n_rows, one.n_tasks, one.n_graded, one.n_calls, one.n_results].map(String),
  ];
  const rows = Object.entries(files).map(([name, one]) => lineOf(name, one));
  line(table(['file', 'rows', 'tasks', 'with reward', 'tool calls', 'results'], [...rows, lineOf('all', total)]));
  const also = Object.entries(others).map(([kind, n]) => `${n} of the kind ${kind}`);
  if (also.length > 0) line(`\nAlso found, and no rows: ${also.join(', ')}.`);
  line(`\n${rejectionTable(rejected)}`);
  for (const said of warnings) line(`Warning: ${said}`);
  if (total.n_redacted > 0) line(`Secrets were replaced in ${total.n_redacted} rows.`);
  if (total.n_partly > 0)
    line(`${total.n_partly} rows do not hold all parts of their messages, such as pictures: see parts_left_out.`);
}
