function add(a, b) {
  return a + b;
}
new Worker('x.js');
