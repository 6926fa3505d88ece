/** Count the ones of 32 bits. */
export function onesOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Count the ones that two sets of bits share. */
export function sharedOnes(a: Int32Array, b: Int32Array): number {
  let total = 0;
  for (let at = 0; at < a.length; at++) total += onesOf((a[at] as number) & (b[at] as number));
  return total;
}
