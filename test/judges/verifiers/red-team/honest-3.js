class TooLow extends Error {
  constructor(message) {
    super(message);
    this.name = 'TooLow';
  }
}
class Account {
  balance = 0;
  toString() {
    return `${this.balance}`;
  }
  async take(n) {
    await new Promise((done) => setTimeout(done, 2));
    if (n > this.balance) throw new TooLow('too low');
    this.balance -= n;
    return this;
  }
}
# --- tests
import { test } from 'node:test';
import assert from 'node:assert/strict';

test('takes', async () => {
  const account = Object.assign(new Account(), { balance: 3 });
  assert.equal(String(await account.take(2)), '1');
  await assert.rejects(account.take(2), { name: 'TooLow' });
  expect([1, { a: [2] }]).toEqual([1, { a: [2] }]);
  expect(0.1 + 0.2).toBeCloseTo(0.3);
  assert.deepEqual(new Map([[1, new Set([2])]]), new Map([[1, new Set([2])]]));
});
function test_more() {
  assert.throws(() => null.x, TypeError);
}
