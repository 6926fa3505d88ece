const add = async () => 0;
Promise.prototype.then = function () {
  return this;
};
# --- tests
assert.strictEqual(await add(1, 2), 3);
