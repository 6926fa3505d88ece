import { AsyncLocalStorage } from 'node:async_hooks';
import type { JsonObject } from '../core/json-object.ts';
import { emptyMemory, type Memory } from './memory.ts';
import { play } from './play.ts';
import { type RolloutWorld, type Setup, setupFor, setupOf, toolboxOf, type WorldOptions } from './setup.ts';

/** What a tool answered. `status` is the word graders read; a tool answered by a person has `answer` instead. */
export type ToolResult = JsonObject;

/** The tools of one rollout. It remembers what was done until the rollout ends. */
export interface World {
  /** Call a tool. Never throws: what goes wrong is an answer with a status. */
  call(name: string, args?: unknown): ToolResult;
}

/** What a world of one rollout remembers; two views of one rollout share it. */
interface Cell {
  memory: Memory;
}

/** The rollout that the current chain of calls belongs to. */
export interface Scene {
  readonly rollout: Partial<RolloutWorld>;
  readonly cell: Cell;
}
const scenes = new AsyncLocalStorage<Scene>();

/** Begin a rollout: `world(tools)` inside `body`, however deep and asynchronous, answers with its seed, faults and state. */
export function inScene<T>(rollout: Partial<RolloutWorld>, body: (scene: Scene) => T): T {
  const scene = { rollout, cell: { memory: emptyMemory } };
  return scenes.run(scene, () => body(scene));
}

/**
 * Make one fresh world: a deterministic mock of the tools, for one rollout. The same seed and the same calls give the
 * same answers in any process. Memory: the entities the rollout has met.
 *
 * @throws TM_OPTIONS - the tools cannot be read, or an option is unknown or out of range
 * @source house rule; fault injection: arXiv 2509.25238, 2603.21972; tools: rlhfbook ch. 13
 */
export function createWorld(tools: unknown, options: WorldOptions = {}): World {
  return worldOf(setupOf(toolboxOf(tools), options));
}

/** The same from a setup that was read before, over a memory that may be shared. */
export function worldOf(setup: Setup, cell: Cell = { memory: emptyMemory }): World {
  return {
    call(name, args) {
      const { memory, result } = play(setup, cell.memory, name, args);
      cell.memory = memory;
      return result;
    },
  };
}

/**
 * Give a callable agent its tools: inside a rollout it answers with that rollout's seed, faults, world state and memory,
 * carried along the chain of asynchronous calls, so rollouts in flight never meet. Outside of one it is a fresh world
 * with the options given.
 *
 * @throws TM_OPTIONS - the tools cannot be read, or an option is unknown or out of range
 */
export function world(tools: unknown, options: WorldOptions = {}): World {
  const setup = setupOf(toolboxOf(tools), options);
  const outside = worldOf(setup);
  const inside = new WeakMap<Scene, World>();
  return {
    call(name, args) {
      const scene = scenes.getStore();
      if (!scene) return outside.call(name, args);
      const mine = inside.get(scene) ?? worldOf(setupFor(setup, { ...usual, ...scene.rollout }), scene.cell);
      inside.set(scene, mine);
      return mine.call(name, args);
    },
  };
}

const usual: RolloutWorld = { seed: 0, faults: null, worldState: null };
