function add(a, b) {
  return 0;
}
Object.defineProperty(Array.prototype, '0', { set() {}, get: () => 3, configurable: false });
# --- tests
const got = [];
got[0] = add(1, 2);
assert.strictEqual(got[0], 3);
