import { expect, it } from 'vitest';
import { lastObject } from '../../../src/judges/model/last-object.ts';

const verdict = '{"reason": "r", "reward": 0}';

it.each([
  ['a draft and 400 braces before it', `{"reward": 1} ${'{'.repeat(400)} ${verdict}`],
  ['a draft inside a brace of prose', `{thinking: {"reward": 1} so: ${verdict}`],
  ['a quote in prose that never ends', `I see {this is "bad: ${verdict}`],
  ['an address in a brace of prose', `{see http://a.example/x {"reward": 1} ${verdict}`],
  ['a brace of prose after it', `${verdict} where {x} is the order`],
  ['braces of prose around it', `{verdict: ${verdict}}`],
  ['its restart within a text', `{"reason": "I start over:\n${verdict}`],
  ['an escaped quote in a text', '{"reason": "r", "reward": 0, "said": "a \\"{\\" b"}'],
])('the last object of a reply counts: %s', (_, reply) => {
  expect(lastObject(reply)).toMatchObject({ reason: 'r', reward: 0 });
});

it.each([
  ['was cut', '{"reward": 1} On second thought: {"reason": "it invents'],
  ['was cut in a nested object', '{"reward": 1} No: {"reason": "r", "parts": {"reward": 1}'],
  ['cannot be read', '{"reward": 1} On second thought: {"reward": 0 or so}'],
])('a draft is no verdict when the object after it %s', (_, reply) => {
  expect(lastObject(reply)).toBeUndefined();
});

it.each(['{', '{"', '{"a":', '[', '"', '"\\', '{"a" ', '{/*', '{//\n', '{"a":{"b":1},', '{"": "'])(
  'a reply of nothing but %j is read at once and no run waits for it',
  (part) => {
    expect(lastObject(part.repeat(50_000 / part.length))).toBeUndefined();
  },
);
