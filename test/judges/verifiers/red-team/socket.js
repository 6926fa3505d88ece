function add(a, b) {
  return a + b;
}
new WebSocket('ws://127.0.0.1/');
