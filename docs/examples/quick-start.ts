import { exportDataset, seededAgent, selectForRl, simulate } from 'tracemill';
import { judge } from './shop/judge.mjs';

const tools = [{ name: 'get_order', parameters: { type: 'object', properties: { order_id: { type: 'string' } } } }];
const shape = { mode: 'rl', repeats: 4, repeatPolicy: 'fixed', budget: 64 } as const;
const run = await simulate({ tools, agent: seededAgent(tools), grader: judge, ...shape });
console.log(`${run.rows.length} rows, pass@1 ${run.passAt.pass_at_1} in ${run.passAt.ci95}`);
await exportDataset(selectForRl(run.rows).kept, 'train.jsonl', { format: 'trl', tools });
