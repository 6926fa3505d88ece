import type { z } from 'zod';
import type { Agent } from '../../agents/agent.ts';
import type { RolloutWatch } from '../../agents/rollout-watch.ts';
import type { SimulatedUser } from '../../agents/simulated-user.ts';
import { type AnyStage, defineStage } from '../../core/stage.ts';
import { world } from '../../operators/world.ts';
import { type Ask, askSchema } from '../../rows/ask.ts';
import { type Row, rowSchema } from '../../rows/row.ts';
import type { Execute } from '../../world/execute.ts';
import { rowIdentity } from '../row-identity.ts';

interface WorldStagePorts {
  readonly agent: Agent;
  readonly watch: RolloutWatch;
  readonly execute?: Execute | undefined;
  readonly user?: ((ask: Ask) => SimulatedUser) | undefined;
}

/** Asks in, rollouts out: the stage that every simulation plays its asks with, wherever they come from. */
export function worldStage(
  options: z.input<typeof world.spec.options>,
  { agent, watch, execute, user }: WorldStagePorts,
): AnyStage {
  return defineStage<Ask, Row>({
    name: 'world',
    from: 'asks',
    to: 'rollouts',
    reads: askSchema,
    writes: rowSchema,
    ...rowIdentity,
    per: 'record',
    readsAnswerKeys: true,
    operator: () => world(options, { agent, watch, ...(execute && { execute }), ...(user && { user }) }),
  });
}
