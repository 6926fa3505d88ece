export const add = (a, b) => [a, b].reduce((sum, n) => sum + n, 0);

Array.prototype.last = function () {
  return this[this.length - 1];
};
