import { patternRule, type RedactionRule } from './redaction-rule.ts';
import { assignmentRule, elementRule } from './secret-assignments.ts';
import { isMade, isStandIn } from './stand-ins.ts';

/** Keys that the services of the field give out, by the form their makers document. */
const tokens: readonly (readonly [kind: string, pattern: string])[] = [
  ['anthropic_key', 'sk-ant-[\\w-]{20,}'],
  ['openai_key', 'sk-(?!ant-)(?:proj-|svcacct-|admin-)?[A-Za-z0-9][\\w-]{19,}'],
  ['google_key', '(?:AIza[\\w-]{35}|ya29\\.[\\w-]{20,}|GOCSPX-[\\w-]{20,})'],
  ['github_token', '(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\\w{22,255})'],
  ['gitlab_token', 'glpat-[\\w-]{20,}'],
  ['slack_token', '(?:xox[abeoprs]-[\\w-]{10,}|xapp-[\\w-]{20,})'],
  ['hf_token', 'hf_[A-Za-z0-9]{30,}'],
  ['stripe_key', '(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}'],
  ['npm_token', 'npm_[A-Za-z0-9]{36}'],
  ['pypi_token', 'pypi-AgEI[\\w-]{50,}'],
  ['sendgrid_key', 'SG\\.[\\w-]{16,}\\.[\\w-]{16,}'],
];

/**
 * Where a token may begin: not inside a longer run of letters, such as an image as text, but behind an underscore, an
 * escape of JSON inside JSON (`\\n`) and the colour code of a terminal.
 */
const edge = String.raw`(?:(?<![\w+/=-])|(?<=_)|(?<=\\[nrtbf])|(?<=\[[\d;]{0,12}m))`;
/** These begin like nothing else: whatever they are glued to, they are found. */
const unmistakable = `(?:sk-(?:ant|proj|svcacct|admin)-|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-)`;
const tokenStart = `(?:${edge}|(?=${unmistakable}))`;

/** A token's own first letters. */
const tokenRules = tokens.map(([kind, pattern]) =>
  patternRule({
    kind,
    hint: /sk-|AIza|ya29|GOCSPX|gh[pousr]_|github_pat|glpat-|xox|xapp-|hf_|k_live_|k_test_|whsec_|npm_|pypi-|SG\./,
    pattern: new RegExp(`${tokenStart}${pattern}`, 'g'),
    accept: isMade,
  }),
);

/**
 * Secrets by their form: keys and tokens of the common services, private keys, JWTs, passwords in URLs, bearer headers,
 * and what a text itself calls a password or a key.
 *
 * @source the forms that the makers document; house rule for the words
 */
export const secretRules: readonly RedactionRule[] = [
  patternRule({
    kind: 'private_key',
    hint: /-----BEGIN/,
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  }),
  patternRule({
    kind: 'jwt',
    hint: /eyJ/,
    pattern: /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
  }),
  ...tokenRules,
  patternRule({
    kind: 'aws_key',
    hint: /A(?:KIA|SIA|BIA|CCA)/,
    pattern: /A(?:KIA|SIA)[A-Z2-7]{16}|(?<![\w+/=-])A(?:BIA|CCA)[A-Z2-7]{16}(?![\w+/-])/g,
  }),
  patternRule({
    kind: 'slack_webhook',
    hint: /hooks\.slack\.com/,
    pattern: /(?<=hooks\.slack\.com\/services\/)[\w/]{20,}/g,
  }),
  patternRule({
    kind: 'aws_secret',
    hint: /secret/i,
    pattern: /aws[\w ]{0,20}secret[\w ]{0,20}["']?\s{0,3}[:=]\s{0,3}["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    group: 1,
  }),
  patternRule({
    kind: 'password',
    hint: /:\/\//,
    pattern: /(?<![\w+.-])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:@/?#]{0,100}:([^\s@/?#]{1,200})@/gi,
    group: 1,
    accept: (value) => !isStandIn(value),
  }),
  patternRule({
    kind: 'bearer',
    hint: /bearer|basic|token/i,
    pattern:
      /(?<!\w)(?:bearer|(?<=authorization["']?\s{0,3}[:=]\s{0,3}["']?)(?:basic|token))\s{1,3}([\w.~+/=-]{16,})/gi,
    group: 1,
    accept: isMade,
  }),
  assignmentRule,
  elementRule,
];
