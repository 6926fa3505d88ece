/** Count the ones of 32 bits. */
export function onesOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Count the ones that two sets of bits share in their first `words` words. */
export function sharedOnes(a: Int32Array, b: Int32Array, words = a.length): number {
  let [total, ones, twos, at] = [0, 0, 0, 0];
  for (; at + 4 <= words; at += 4) {
    const first = (a[at] as number) & (b[at] as number);
    const second = (a[at + 1] as number) & (b[at + 1] as number);
    const third = (a[at + 2] as number) & (b[at + 2] as number);
    const fourth = (a[at + 3] as number) & (b[at + 3] as number);
    const half = ones ^ first; // bits are added by column, with carries: a count of ones only for every fourth word
    const carry = (ones & first) | (half & second);
    const rest = half ^ second;
    const more = rest ^ third;
    const carried = (rest & third) | (more & fourth);
    ones = more ^ fourth;
    const pair = twos ^ carry;
    total += onesOf((twos & carry) | (pair & carried));
    twos = pair ^ carried;
  }
  total = 4 * total + 2 * onesOf(twos) + onesOf(ones);
  for (; at < words; at++) total += onesOf((a[at] as number) & (b[at] as number));
  return total;
}

/** Count the ones at some places of a set of bits: quicker than by words where the places are few. */
export function onesAt(bits: Int32Array, places: Int32Array): number {
  let total = 0;
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number;
    total += ((bits[place >>> 5] as number) >>> (place & 31)) & 1;
  }
  return total;
}
