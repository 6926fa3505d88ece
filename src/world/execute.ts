import { isObject, type JsonObject } from '../core/json-object.ts';
import { emptyMemory } from './memory.ts';
import { argumentsOf, faultOf, noReply } from './play.ts';
import type { Setup } from './setup.ts';
import type { ToolResult } from './world.ts';

/** Which rollout a real call serves. */
export interface ServedRollout {
  readonly prompt: string;
  readonly rolloutIndex: number;
  readonly seed: number;
}

/** Carry out a call for real. An object passes through, anything else becomes `{status: "ok", result}`. */
export type Execute = (tool: string, args: JsonObject, rollout: ServedRollout) => unknown;

/** Tools that really act. */
export interface RealWorld {
  /** Call a tool; it never rejects: what is thrown is an answer with status `error`. */
  call(name: string, args?: unknown): Promise<ToolResult>;
}

/**
 * Put real tools in the place of the mock ones. Scheduled faults still fire first; the state of things is the real
 * world's, so `worldState` does nothing.
 */
export function realWorld(setup: Setup, execute: Execute, rollout: ServedRollout): RealWorld {
  let memory = emptyMemory;
  return {
    async call(name, given) {
      const prepared = setup.tools.get(name);
      if (!prepared) return { status: 'error', reason: 'unknown_tool', tool: name };
      const args = argumentsOf(given);
      const fault = faultOf(setup, memory, name, args ?? {});
      if (fault) memory = fault.memory;
      if (fault?.result) return fault.result;
      if (prepared.tool.kind === 'human') return { answer: noReply };
      if (!args) return { status: 'rejected', reason: 'invalid_argument', fields: ['arguments'] };
      const result = await carriedOut(() => execute(name, args, rollout));
      return fault ? { ...result, stale: true, as_of: 'some time ago' } : result;
    },
  };
}

async function carriedOut(act: () => unknown): Promise<ToolResult> {
  try {
    const result = await act();
    return isObject(result) ? result : { status: 'ok', result: result ?? null };
  } catch (error) {
    return { status: 'error', reason: error instanceof Error ? error.message : String(error) };
  }
}
