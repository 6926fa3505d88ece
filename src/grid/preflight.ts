import { toolsFrom } from '../rows/tool.ts';
import { gridPlan } from './plan.ts';
import { wordsOfName } from './region-weight.ts';
import { namesTool, toolWords, wordSet } from './tool-mentions.ts';

export interface PreflightReport {
  readonly n_tools: number;
  readonly policy_chars: number;
  readonly rules: readonly string[];
  readonly tools: readonly { readonly name: string; readonly issues: readonly string[] }[];
  readonly destructive_tools: readonly string[];
  readonly missing_result_shapes: readonly string[];
  readonly tools_not_mentioned_in_policy: readonly string[];
  readonly cells: number;
  readonly warnings: readonly string[];
  readonly warning_codes: readonly string[];
  /** Nothing to warn of. */
  readonly ok: boolean;
}

const destructive = new Set(
  'cancel delete remove refund reverse transfer send update book create close merge pay'.split(' '),
);
const thinPolicy = 200;

/**
 * Look at tools and policy before anything runs: what a simulated world and a judge would have to guess.
 *
 * @throws TM_OPTIONS - `tools` is no tool list
 * @source house rule
 */
export function preflight(given: unknown, policy: string): PreflightReport {
  const tools = toolsFrom(given);
  const raw = Array.isArray(given) && given.length === tools.length ? given : tools;
  const checked = tools.map(({ name }, n) => ({ name, issues: issuesOf(raw[n]) }));
  const words = wordSet(policy);
  const unmentioned = tools
    .map(toolWords)
    .filter((tool) => !namesTool(policy, words, tool))
    .map(({ name }) => name)
    .sort();
  const plan = gridPlan(tools, policy);
  const having = (issue: string) => checked.filter(({ issues }) => issues.includes(issue)).map(({ name }) => name);
  const said: readonly (readonly [string, string] | undefined)[] = [
    warning('no_description', having('no_description'), 'have no description; say what each does'),
    warning('no_parameters_schema', having('no_parameters_schema'), 'have no schema of their arguments; add one'),
    warning('no_required_fields', having('no_required_fields'), 'name no required argument; list what must be given'),
    warning(
      'no_result_shape',
      having('no_result_shape'),
      'say nothing of their result; add `returns`, or results are made up',
    ),
    warning('not_in_policy', unmentioned, 'are not mentioned in the policy; say when each may be used'),
    policy.length < thinPolicy
      ? ['thin_policy', `The policy has ${policy.length} characters; under ${thinPolicy} there is little to try it on.`]
      : undefined,
    plan.clauses_found > plan.axes.rule.length
      ? [
          'clauses_capped',
          `${plan.axes.rule.length} of ${plan.clauses_found} clauses are on the grid; shorten the policy or pin the rule axis.`,
        ]
      : undefined,
  ];
  const warnings = said.filter((one) => one !== undefined);
  return {
    n_tools: tools.length,
    policy_chars: policy.length,
    rules: plan.axes.rule,
    tools: checked,
    destructive_tools: tools.map(({ name }) => name).filter(isDestructive),
    missing_result_shapes: having('no_result_shape'),
    tools_not_mentioned_in_policy: unmentioned,
    cells: plan.cells.length,
    warnings: warnings.map(([, sentence]) => sentence),
    warning_codes: warnings.map(([code]) => code),
    ok: warnings.length === 0,
  };
}

const warning = (code: string, tools: readonly string[], what: string): readonly [string, string] | undefined =>
  tools.length === 0 ? undefined : [code, `${tools.length} tools ${what}: ${tools.join(', ')}.`];

const isDestructive = (name: string): boolean =>
  name.startsWith('file_') || wordsOfName(name).some((word) => destructive.has(word));

function issuesOf(raw: unknown): readonly string[] {
  const outer = (raw ?? {}) as Readonly<Record<string, unknown>>;
  const tool = { ...outer, ...((outer['function'] ?? {}) as Readonly<Record<string, unknown>>) };
  const parameters = (tool['parameters'] ?? tool['input_schema'] ?? tool['inputSchema'] ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const { properties, required } = parameters as { readonly properties?: unknown; readonly required?: unknown };
  const hasProperties = properties !== null && typeof properties === 'object';
  const names = hasProperties ? Object.keys(properties as object) : [];
  const returns = tool['returns'] ?? tool['output_schema'] ?? tool['outputSchema'];
  return [
    ...(tool['description'] ? [] : ['no_description']),
    ...(hasProperties ? [] : ['no_parameters_schema']),
    ...(names.length > 0 && !(Array.isArray(required) && required.length > 0) ? ['no_required_fields'] : []),
    ...(returns ? [] : ['no_result_shape']),
  ];
}
