import { seededAgent, simulate } from 'tracemill';
import { judge } from './shop/judge.mjs';

const tools = [{ name: 'get_order', parameters: { type: 'object', properties: { order_id: { type: 'string' } } } }];
const options = { tools, mode: 'rl', repeats: 4, repeatPolicy: 'fixed', budget: 64 } as const;
const run = await simulate(options, { agent: seededAgent(tools), judge });
console.log(run.rows.length, run.passAt.pass_at_1, run.passAt.ci95);
await run.trainingSet({ path: 'train.jsonl', format: 'trl' });
