function add(a, b) {
  return 0;
}
globalThis.Error = function () {};
# --- tests
if (add(1, 2) !== 3) throw new Error('wrong');
