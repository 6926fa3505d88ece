function add(a, b) {
  return a + b;
}
require('node:fs').readFileSync('/etc/passwd');
