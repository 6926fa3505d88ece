import { expect, test } from 'vitest';
import type { Item } from '../../../src/dialects/item.ts';
import { mergeTurns } from '../../../src/dialects/otlp/histories.ts';

const call: Item = { kind: 'call', name: 'find', arguments: { page: 1 } };
const turn = (trace: string, input: readonly Item[], output: readonly Item[]) => ({
  ...{ trace, input, start: 1n, output, end: 2n },
});

test('a call that two requests share and the history tells twice is a call each time', () => {
  const ask: Item = { kind: 'user', text: 'again' };
  const history = mergeTurns([turn('a', [ask, call], []), turn('b', [call, ask], [call])]).map(({ item }) => item);
  expect(history).toEqual([ask, call, ask, call]);
  expect(history[1]).not.toBe(history[3]);
});

test('a request that tells the conversation in another way replaces what was known', () => {
  const ask: Item = { kind: 'user', text: 'where is it?' };
  const told: Item = { kind: 'text', text: 'On its way.' };
  const short: Item = { kind: 'text', text: 'summary' };
  const items = (...turns: Parameters<typeof mergeTurns>[0]) => mergeTurns(turns).map(({ item }) => item);
  expect(items(turn('a', [ask], [told]), turn('a', [ask, short], [told]))).toEqual([ask, short, told]);
  expect(items(turn('a', [ask], [told]), turn('a', [ask, told, ask], [short]))).toEqual([ask, told, ask, short]);
  expect(items(turn('a', [ask, told], []), turn('a', [ask], [told]))).toEqual([ask, told, told]);
});
