import { isObject, type JsonObject } from '../core/json-object.ts';
import { asWarnings, type Remark } from '../core/remarks.ts';
import { callsMade } from '../rows/calls-made.ts';
import type { Row } from '../rows/row.ts';
import { faultOfResult } from '../rows/trace-fault.ts';
import { wilsonInterval } from '../stats/wilson.ts';

interface Named {
  readonly name?: string | undefined;
}
/** A tool as it was declared: its name, or an object that has it. */
export type DeclaredTool = string | (Named & { readonly function?: Named | undefined });
/** Warnings as sentences and, in the same order, as codes. */
export interface Warnings {
  readonly warnings: readonly string[];
  readonly warning_codes: readonly string[];
}

/** What came back of one tool's calls. */
interface Answers {
  ok: number;
  /** Answered calls that the run did not plan to fail. */
  evidence: number;
}
const minEvidence = 3;
const deadBelow = 0.3; // upper 95 % bound of the share that works: 0 of 9 is the first zero that counts

/**
 * Watch graded rows go by and say at any time what is wrong with the run as a whole: no row called a tool, a declared tool
 * was never called or never works, a marker was never measured, a model graded its own replies. Memory: one counter for each tool and marker, whatever the rows.
 *
 * @source house rule
 */
export class JudgeWatch {
  readonly #declared: readonly string[] | undefined;
  readonly #calls = new Map<string, Answers>();
  readonly #markers = new Map<string, boolean>();
  readonly #ownModels = new Map<string, number>();
  #rows = 0;
  #silent = 0;

  constructor(tools?: readonly DeclaredTool[]) {
    this.#declared = tools?.map(toolName).filter((name) => name !== '');
  }

  /** Count one graded row. */
  add(row: Row): void {
    this.#rows++;
    if (this.#declared) this.#addCalls(row);
    const own = judgedByItself(row);
    if (own !== undefined) this.#ownModels.set(own, (this.#ownModels.get(own) ?? 0) + 1);
    for (const [name, value] of Object.entries(row.markers ?? {}))
      if (typeof value === 'number' && Number.isFinite(value)) this.#markers.set(name, true);
      else if (!this.#markers.has(name)) this.#markers.set(name, false);
  }

  /** What there is to say so far. */
  report(): Warnings {
    return asWarnings([...this.#toolWarnings(), ...this.#markerWarnings(), ...this.#modelWarnings()]);
  }

  #addCalls(row: Row): void {
    const calls = callsMade(row);
    if (calls.length === 0) this.#silent++;
    for (const { tool, result } of calls) {
      const answers = this.#calls.get(tool) ?? { ok: 0, evidence: 0 };
      this.#calls.set(tool, answers);
      if (result === undefined || result === null) continue;
      const isOk = faultOfResult(result) === undefined;
      if (isOk) answers.ok++;
      if (isOk || !isPlanned(row['faults'], tool)) answers.evidence++;
    }
  }

  #toolWarnings(): Remark[] {
    if (!this.#declared || this.#declared.length === 0 || this.#rows === 0) return [];
    const [rows, silent] = [this.#rows, this.#silent];
    if (silent === rows)
      return [{ code: 'no_tool_calls', text: `none of ${rows} rows called a tool: is the agent given its tools?` }];
    const found: Remark[] = [];
    if (silent >= 2 || silent >= rows * 0.1)
      found.push({ code: 'some_rows_no_tool_call', text: `${silent} of ${rows} rows called no tool` });
    const unused = this.#declared.filter((name) => !this.#calls.has(name));
    if (unused.length > 0) found.push({ code: 'tool_never_called', text: `never called: ${unused.join(', ')}` });
    const dead = [...this.#calls].filter(([, answers]) => isDead(answers)).map(([name]) => name);
    if (dead.length > 0)
      found.push({ code: 'dead_tool', text: `almost every call fails, unplanned: ${dead.join(', ')}` });
    return found;
  }

  #modelWarnings(): Remark[] {
    return [...this.#ownModels].map(([model, rows]) => ({
      code: 'judge_is_agent',
      text: `${rows} of ${this.#rows} rows are replies of ${model} that ${model} graded: a model favours its own replies`,
    }));
  }

  #markerWarnings(): Remark[] {
    const never = [...this.#markers].filter(([, fired]) => !fired).map(([name]) => name);
    if (never.length === 0) return [];
    return [{ code: 'marker_never_fired', text: `no number on any of ${this.#rows} rows for: ${never.join(', ')}` }];
  }
}

/** The model that both replied and graded. */
function judgedByItself({ judge_meta: meta, model_version, sampling }: Row): string | undefined {
  const judge = isObject(meta) ? meta['judge_model'] : undefined;
  if (typeof judge !== 'string' || judge === '') return undefined;
  return judge === model_version || (isObject(sampling) && judge === sampling['model']) ? judge : undefined;
}

function toolName(tool: DeclaredTool): string {
  return typeof tool === 'string' ? tool : (tool.function?.name ?? tool.name ?? '');
}

function isPlanned(faults: unknown, tool: string): boolean {
  if (!isObject(faults)) return false;
  return isMode(faults[tool]) || isMode(faults['*']);
}
const isMode = (plan: unknown) => isObject(plan) && Boolean((plan as JsonObject)['mode']);

function isDead({ ok, evidence }: Answers): boolean {
  return evidence >= minEvidence && (wilsonInterval(ok, evidence)?.[1] ?? 1) < deadBelow;
}
