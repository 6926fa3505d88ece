function add(a, b) {
  return 0;
}
/^(a+)+$/.test('a'.repeat(60) + 'b');
