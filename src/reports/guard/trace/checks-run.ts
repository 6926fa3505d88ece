import { stringifyJson } from '../../../core/json.ts';
import { isObject } from '../../../core/json-object.ts';
import type { CallMade } from '../../../rows/calls-made.ts';
import { failedCall } from '../../../rows/failed-call.ts';
import { nameWords } from '../../../text/name-words.ts';
import { type ShellCommand, shellCommands } from '../../../text/shell-commands.ts';
import { commandOf } from './step-kind.ts';

/** What a check checks. */
export type Check = 'test' | 'build' | 'lint' | 'typecheck';

const testers =
  /^(?:pytest|py\.test|tox|nox|jest|vitest|mocha|ava|rspec|ctest|phpunit|unittest|nosetests|playwright|cypress|bats|nextest|pest|minitest)$/;
const builders = /^(?:webpack|vite|rollup|esbuild|tsup|msbuild|cmake|ninja|bazel|gcc|clang|javac|build)$/;
const linters =
  /^(?:eslint|ruff|flake8|pylint|biome|prettier|black|stylelint|rubocop|golangci-lint|clippy|shellcheck|standard|oxlint|ktlint|lint)$/;
const checkers = /^(?:tsc|mypy|pyright|flow|sorbet|vue-tsc)$/;
const multi =
  /^(?:npm|yarn|pnpm|bun|make|just|task|mvn|mvnw|gradle|gradlew|dotnet|cargo|go|mix|rake|rails|deno|composer|sbt|swift|nx|turbo|bazel|zig)$/;
const notARun = /^--(?:collect-only|list-tests|listTests|list|version|help|co|showConfig|init|dry-run)$/;
const goals: readonly (readonly [Check, RegExp])[] = [
  ['test', /^(?:t|tests?|nextest|verify|check|spec|ci|tst|(?:test|tests|spec)[:_-]\S+|\S+[:_-]tests?)$/],
  ['build', /^(?:build|compile|package|install|assemble|\S+[:_-]build|build[:_-]\S+)$/],
  ['lint', /^(?:lint|clippy|vet|fmt|format|\S+[:_-]lint|lint[:_-]\S+)$/],
  ['typecheck', /^(?:typecheck|type-check|types|tsc|check-types|typecheck[:_-]\S+)$/],
];

/** One run of a check that a rollout made. */
export interface CheckRun {
  readonly check: Check;
  readonly passed: boolean;
}

/** Read the checks that a rollout ran, in order, each with whether it passed. */
export function checksRun(calls: readonly CallMade[]): readonly CheckRun[] {
  return calls.flatMap((call) => {
    const kinds = checksOf(call);
    const passed = kinds.length > 0 && !failedCall(call) && !saysFailed(call.result);
    return kinds.map((check) => ({ check, passed }));
  });
}

function checksOf(call: CallMade): readonly Check[] {
  const line = commandOf(call);
  if (line !== undefined) return [...new Set(shellCommands(line).flatMap(checksOfCommand))];
  const words = nameWords(call.tool);
  const runs = words.some((word) => /^(?:run|execute|exec)$/.test(word)) || words.length === 1;
  const named = goals.find(([check]) => words.some((word) => word === check || word === `${check}s`));
  return runs && named ? [named[0]] : [];
}

function checksOfCommand({ program, args }: ShellCommand): readonly Check[] {
  if (args.some((arg) => notARun.test(arg))) return [];
  if (testers.test(program)) return ['test'];
  if (checkers.test(program)) return ['typecheck'];
  if (linters.test(program)) return ['lint'];
  if (!multi.test(program)) return builders.test(program) ? ['build'] : [];
  const words = args.filter((arg) => !arg.startsWith('-') && arg !== 'run');
  const found = goals.filter(([, goal]) => words.slice(0, 3).some((word) => goal.test(word)));
  const runs = found.map(([check]) => check);
  return program === 'make' && words.length === 0 ? ['build'] : runs;
}

/** A runner whose text says that something failed did not pass, whatever its exit code. */
function saysFailed(result: unknown): boolean {
  if (isObject(result) && typeof result['failed'] === 'number' && result['failed'] > 0) return true;
  const text = typeof result === 'string' ? result : isObject(result) ? stringifyJson(result) : '';
  return /\b[1-9]\d*\s+(?:tests?\s+|checks?\s+)?(?:failed|failing|failures?|errors?)\b|\bFAILED\b/.test(text);
}
