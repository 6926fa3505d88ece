import { stringifyJson } from '../../core/json.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { taskChecklist } from '../../judges/checklist/task-checklist.ts';
import { traceFlags } from '../../reports/guard/trace/trace-flags.ts';
import { contentText } from '../../rows/content-text.ts';
import { toolsFrom } from '../../rows/tool.ts';
import { createWorld, type World } from '../../world/index.ts';

/** What a trainer asks of an environment: one JSON object a line. */
export type Request =
  | { readonly op: 'start'; readonly spec: JsonObject }
  | { readonly op: 'open'; readonly episode: string; readonly info: JsonObject }
  | { readonly op: 'call'; readonly episode: string; readonly name: string; readonly arguments: unknown }
  | {
      readonly op: 'grade';
      readonly info: JsonObject;
      readonly prompt: string;
      readonly messages: readonly unknown[];
      readonly truncated?: boolean;
    }
  | { readonly op: 'close'; readonly episode: string };

/**
 * Serve the episodes of one exported environment: each has a world of its own, with the seed, the faults and the state of its
 * task, and is graded by the checklist. The answer to a call is the text that the agent reads. Memory: the open episodes.
 *
 * @throws Error - the request is none, or its episode is not open
 */
export function episodes() {
  const worlds = new Map<string, World>();
  let tools: readonly unknown[] = [];
  return (request: Request): JsonObject => {
    switch (request.op) {
      case 'start':
        tools = toolsFrom(request.spec['tools']);
        return { tools: tools.length };
      case 'open':
        worlds.set(request.episode, worldOf(tools, request.info));
        return {};
      case 'call': {
        const world = worlds.get(request.episode);
        if (!world) throw new Error(`episode ${request.episode} is not open`);
        return { content: stringifyJson(world.call(request.name, request.arguments)) };
      }
      case 'grade':
        return grade(request, tools);
      case 'close':
        worlds.delete(request.episode);
        return {};
      default:
        throw new Error(`no such op: ${String((request as { op?: unknown }).op)}`);
    }
  };
}

const worldOf = (tools: readonly unknown[], { seed, faults, world_state }: JsonObject): World =>
  createWorld(tools, {
    seed: typeof seed === 'number' ? seed : 0,
    faults: isObject(faults) ? faults : {},
    worldState: typeof world_state === 'string' ? world_state : null,
  });

/** An episode that a cap cut off is worth nothing: it did not end. */
function grade(
  { info, prompt, messages, truncated = false }: Extract<Request, { op: 'grade' }>,
  tools: readonly unknown[],
): JsonObject {
  const { privileged: _, calibration: __, split: ___, ...task } = info;
  const talk = messages.filter(isObject);
  const last = talk.findLast(({ role }) => role === 'assistant');
  const row = { ...task, prompt, messages: talk, final_text: contentText(last?.['content']) };
  const { reward, reason, reason_code, markers } = taskChecklist(row, { declaredTools: tools });
  const metrics = {
    n_calls: talk.reduce((sum, { tool_calls }) => sum + (Array.isArray(tool_calls) ? tool_calls.length : 0), 0),
    judge_ok: 1,
    truncated: truncated ? 1 : 0,
    trace_clean: Object.keys(traceFlags(row)).length === 0 ? 1 : 0,
  };
  return { reward: truncated ? 0 : reward, reason, reason_code, markers, metrics };
}
