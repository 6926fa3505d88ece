import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import { expect, it } from 'vitest';
import { dropContaminated } from '../../src/operators/drop-contaminated.ts';
import { evaluationGuard, type Guarded } from '../../src/operators/evaluation-guard.ts';
import { retractContaminated } from '../../src/operators/retract-contaminated.ts';
import { decontaminate } from '../../src/reports/guard/decontaminate/index.ts';
import { deliveryId } from '../../src/rows/delivery-key.ts';
import type { Row } from '../../src/rows/row.ts';
import { operatorContract } from '../contract.ts';

operatorContract(dropContaminated);

const words = ['cancel', 'my', 'order', 'now', 'refund', 'заказ', '订单'];
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 9 }).map((list) => list.join(' '));
const training = fc
  .array(fc.record({ prompt: text, task: fc.constantFrom('t1', 't2', 't3', 't4', 't5') }), { maxLength: 8 })
  .map((rows) => rows.map(({ prompt, task }, n): Row => ({ rollout_id: `r${n}`, scenario_id: task, prompt })));
const evaluation = fc.array(
  fc.record({ prompt: text, answer: fc.option(text), scenario_id: fc.constantFrom('e1', 'e2', 't1') }),
  { maxLength: 4 },
);
const options = fc.record({
  n: fc.constantFrom(2, 3),
  overlap: fc.constantFrom(0, 0.5, 0.8, 1),
  coverage: fc.constantFrom('either' as const, 'row' as const),
});
const scene = fc.record({ rows: training, evals: evaluation, given: options }).chain(({ rows, evals, given }) => {
  const all: Guarded[] = [
    ...rows.map((row) => ({ training: row })),
    ...evals.map((row) => ({ evaluation: row as unknown as Row })),
  ];
  return fc.record({
    rows: fc.constant(rows),
    evals: fc.constant(evals),
    given: fc.constant(given),
    order: fc.shuffledSubarray(all, { minLength: all.length }),
  });
});
const idsOf = (rows: readonly Row[]) => rows.map(deliveryId).sort();

it('any order of arrivals ends in the set of a batch that knew all', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async ({ rows, evals, given, order }) => {
      const rejected: unknown[] = [];
      const hooks = { reject: ({ row }: { readonly row: unknown }) => void rejected.push(row) };
      const out = await lastValueFrom(from(order).pipe(evaluationGuard(given, hooks), toArray()));
      const gone = out.flatMap((one) => ('retracted' in one ? [one.retracted.row_id] : []));
      const kept = out.flatMap((one) => ('kept' in one ? [one.kept] : []));
      expect(kept.length + rejected.length).toBe(rows.length);
      expect(new Set(gone).size).toBe(gone.length);
      const left = kept.filter((row) => !gone.includes(deliveryId(row)));
      expect(idsOf(left)).toEqual(idsOf(decontaminate(rows, evals, given).kept));
    }),
  );
});

it('two logs that are read apart end in the same set, whoever of them is read first', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async ({ rows, evals, given, order }) => {
      const logs = { training: [] as Row[], evaluation: [] as Row[] };
      const follow = (log: readonly Row[]) => (see: (row: Row) => void) => {
        let seen = 0;
        return {
          caughtUp: async () => {
            for (; seen < log.length; seen++) see(log[seen] as Row);
          },
        };
      };
      const [kept, gone]: [Row[], string[]] = [[], []];
      const drop = dropContaminated(given, { follow: follow(logs.evaluation) });
      const retract = retractContaminated(given, { follow: follow(logs.training) });
      for (const one of order) {
        if ('training' in one) {
          logs.training.push(one.training);
          kept.push(...(await lastValueFrom(from([one.training]).pipe(drop, toArray()))));
        } else {
          logs.evaluation.push(one.evaluation);
          const told = await lastValueFrom(from([one.evaluation]).pipe(retract, toArray()));
          gone.push(...told.map(({ row_id }) => row_id));
        }
      }
      const left = kept.filter((row) => !gone.includes(deliveryId(row)));
      expect(idsOf(left)).toEqual(idsOf(decontaminate(rows, evals, given).kept));
    }),
  );
});

it('a retraction says which rule hit and how much, and quotes neither text', async () => {
  const prompt = 'please cancel my order and refund the full amount to my card today';
  const out = await lastValueFrom(
    from<Guarded[]>([
      { training: { rollout_id: 'a', scenario_id: 's', prompt: `Hello there! ${prompt}` } },
      { evaluation: { scenario_id: 'e', prompt } },
      { evaluation: { scenario_id: 'e', prompt } },
    ]).pipe(evaluationGuard({}), toArray()),
  );
  expect(out).toHaveLength(2);
  const [, { retracted }] = out as [unknown, { retracted: { decision: object } }];
  expect(retracted).toMatchObject({
    row_id: '["a","",""]',
    task_id: 's',
    decision: {
      decision: 'left',
      by: 'evaluation',
      reason: 'near',
      gates: [
        { gate: 'evaluation', numbers: { field: 'prompt', coverage: 0.867, eval_coverage: 1, evaluation_task: 'e' } },
      ],
    },
  });
  expect(JSON.stringify(retracted)).not.toContain('refund');
});
