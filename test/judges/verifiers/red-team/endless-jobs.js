function add(a, b) {
  return 0;
}
const again = () => Promise.resolve().then(again);
again();
