function add(a, b) {
  return 0;
}
});
return [];
(function () {
