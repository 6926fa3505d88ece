function add(a, b) {
  return 0;
}
Array.prototype.forEach = () => {};
# --- tests
[[1, 2, 3]].forEach(([a, b, want]) => assert.strictEqual(add(a, b), want));
