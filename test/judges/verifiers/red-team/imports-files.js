function add(a, b) {
  return a + b;
}
globalThis.late = import('node:fs').then((fs) => fs.readFileSync('/etc/passwd'));
# --- tests
assert.equal((await late).length > 0, true);
