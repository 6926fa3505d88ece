function add(a, b) {
  return 0;
}
globalThis.process = { exitCode: 0 };
