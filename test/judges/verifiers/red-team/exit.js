function add(a, b) {
  return 0;
}
process.exit(0);
