import { stringify } from 'yaml';
import type { JsonObject } from '../../core/json-object.ts';
import { taskKey } from '../../rows/task-key.ts';
import type { publishGate } from '../guard/publish-gate.ts';
import { passAt } from '../pass-at/index.ts';

/** A split of a set, and the file it is in. */
export interface CardSplit {
  readonly split: string;
  readonly path: string;
  readonly n: number;
}

/** How many rows were left out, by whom and why. */
export interface CardDrop {
  readonly step: string;
  readonly reason: string;
  readonly rows: number;
}

interface About {
  readonly name: string;
  readonly format: string;
  /** The rows that the set was made of. */
  readonly rows: readonly JsonObject[];
  readonly splits: readonly CardSplit[];
  /** What the gate said; null when it was not asked. */
  readonly gate: ReturnType<typeof publishGate>['report'] | null;
  readonly dropped: readonly CardDrop[];
  readonly license?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * Write the card of a set, a README that the Hugging Face Hub reads: front matter with its splits, then what is in it, its
 * numbers with their intervals, what each gate said, and what was left out and why.
 *
 * @source Gebru et al. 2021 (datasheets for datasets)
 */
export function datasetCard(about: About): string {
  const { name, format, description } = about;
  const parts = [
    `---\n${stringify(frontMatter(about))}---`,
    `# ${name}`,
    description ?? `${purposes[format] ?? 'Rows'}, made and gated by Tracemill.`,
    `## What is in it\n\n${table(
      ['split', 'file', 'lines'],
      about.splits.map(({ split, path, n }) => [split, `\`${path}\``, String(n)]),
    )}`,
    `## Numbers\n\n${table(['', 'value', '95 % interval'], numbers(about.rows))}`,
    `## Who played and who judged\n\n${table(['', ''], players(about.rows))}`,
    `## What the gate said\n\n${gateWords(about.gate)}`,
    `## What was left out\n\n${dropWords(about.dropped)}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

const purposes: Readonly<Record<string, string>> = {
  openai: 'Conversations for supervised training, on the OpenAI wire, with a loss mask',
  trl: 'Conversations for supervised training with TRL',
  pairs: 'Preference pairs, as two whole conversations each',
  'pairs-trl': 'Preference pairs for TRL: a shared prompt and two completions',
  reward: 'Pairs with a margin, for a reward model',
  grpo: 'Prompts for group-relative training',
  opd: 'Conversations of the student, for a teacher to score',
  rows: 'Graded rollouts',
};

const methods: Readonly<Record<string, string>> = {
  openai: 'sft',
  trl: 'sft',
  pairs: 'preference',
  'pairs-trl': 'preference',
  reward: 'reward-model',
  grpo: 'reinforcement-learning',
  opd: 'distillation',
};

function frontMatter({ name, format, rows, splits, license }: About) {
  const method = methods[format];
  return {
    pretty_name: name,
    ...(license === undefined ? {} : { license }),
    tags: ['tracemill', 'agents', 'tool-use', ...(method === undefined ? [] : [method])],
    task_categories: [format === 'grpo' ? 'reinforcement-learning' : 'text-generation'],
    size_categories: [sizeOf(splits.reduce((sum, { n }) => sum + n, 0) || rows.length)],
    configs: [{ config_name: 'default', data_files: splits.map(({ split, path }) => ({ split, path })) }],
  };
}

/** The words that the Hub knows. */
function sizeOf(n: number): string {
  if (n < 1000) return 'n<1K';
  if (n < 10_000) return '1K<n<10K';
  if (n < 100_000) return '10K<n<100K';
  return n < 1_000_000 ? '100K<n<1M' : '1M<n<10M';
}

function numbers(rows: readonly JsonObject[]): readonly (readonly string[])[] {
  const rate = passAt(rows);
  const shares = [
    ['pass@1', rate.pass_at_1, rate.ci95],
    [`pass^${rate.k}`, rate.pass_pow_k, rate.pass_pow_k_ci95],
    [`pass@${rate.k}`, rate.pass_at_k, rate.pass_at_k_ci95],
  ] as const;
  return [
    ['rollouts', String(rows.length), ''],
    ['tasks', String(new Set(rows.map(taskKey)).size), ''],
    ['graded pass or fail', String(rate.n_rows), ''],
    ...shares
      .filter(([, value]) => value !== null)
      .map(([label, value, interval]) => [
        label,
        rounded(value),
        interval ? interval.map(rounded).join(' to ') : 'too few tasks',
      ]),
  ];
}

const rounded = (value: number | null): string => (value === null ? '' : String(Math.round(value * 1e4) / 1e4));

function players(rows: readonly JsonObject[]): readonly (readonly string[])[] {
  const named = (key: string) =>
    [
      ...new Set(
        rows
          .map((row) => row[key])
          .filter(Boolean)
          .map(String),
      ),
    ].sort();
  const fields = [
    ['agent', named('model_version')],
    ['policy', named('policy_version')],
    ['writer', named('writer_model')],
    ['judge', [...new Set([...named('judge_name'), ...named('label_source')])]],
  ] as const;
  return fields.map(([label, names]) => [
    label,
    names.length === 0 ? 'not said' : names.slice(0, 10).map(code).join(', '),
  ]);
}

function gateWords(gate: About['gate']): string {
  if (gate === null) return 'It was not asked.';
  const { signal, hack_scan, contamination, privileged_leaks, duplicates, near_duplicate_prompts } = gate;
  const rows = [
    ['answer keys in replies', privileged_leaks.summary],
    [
      'repeats of an evaluation',
      contamination === null ? 'no evaluation was given' : `${contamination.n_contaminated} of ${contamination.n} rows`,
    ],
    ['judged as', gate.rl_shaped ? 'groups, for reinforcement learning' : 'single rows'],
    ['tasks with passes and failures', `${signal.n_mixed} of ${signal.n_groups}`],
    [`tasks in the band ${gate.band.join(' to ')}`, String(signal.n_in_band)],
    [
      'what the reward pays for',
      hack_scan === null
        ? 'not asked of single rows'
        : `${hack_scan.regime}${hack_scan.top_feature === null ? '' : `: ${hack_scan.top_feature}`} (|rho| ${hack_scan.rho_max}, floor ${hack_scan.tau})`,
    ],
    ['repeated replies', String(duplicates.n_dropped)],
    ['prompts that are nearly the same', String(near_duplicate_prompts.n_prompts_involved)],
  ];
  const said = gate.refusal ? `Refused: ${gate.refusal.code}.` : 'Passed.';
  const warned = gate.warnings.map((text) => `- ${text}`).join('\n');
  return `${said}\n\n${table(['gate', 'what it found'], rows)}${warned === '' ? '' : `\n\n${warned}`}`;
}

const dropWords = (dropped: readonly CardDrop[]): string =>
  dropped.length === 0
    ? 'Nothing that is known here.'
    : table(
        ['step', 'reason', 'rows'],
        dropped.map(({ step, reason, rows }) => [step, code(reason), String(rows)]),
      );

const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
