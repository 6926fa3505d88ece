function add(a, b) {
  return a + b;
}
new WebAssembly.Memory({ initial: 1 });
