/** Rows under growth. Axes come widest first; `counts` tells how often each pair of values stands in a row. */
export class GrowingArray {
  readonly rows: number[][] = [];
  readonly #sizes: readonly number[];
  readonly #counts = new Map<number, Int32Array>();

  constructor(sizes: readonly number[]) {
    this.#sizes = sizes;
    for (let a = 0; a < sizes.length; a++)
      for (let b = a + 1; b < sizes.length; b++)
        this.#counts.set(a * sizes.length + b, new Int32Array(at(sizes, a) * at(sizes, b)));
  }

  /** A row for every pair of the two widest axes. */
  addProduct(): void {
    const sizes = this.#sizes;
    for (let first = 0; first < at(sizes, 0); first++)
      for (let second = 0; second < (sizes.length > 1 ? at(sizes, 1) : 1); second++)
        this.rows.push(sizes.length > 1 ? [first, second] : [first]);
    for (const row of this.rows) if (row.length > 1) this.#count(0, 1, row, 1);
  }

  /** Give every row a value on the next axis: by a linear rule where one covers all, else by greed and repair. */
  grow(axis: number): void {
    if (this.#growLinear(axis)) return;
    const missing = this.#growGreedy(axis);
    if (missing > 0) this.#repair(axis);
  }

  /** Add rows one by one, each the best of a few that begin at a missing pair; `seed` varies where they begin. */
  pack(seed: number): void {
    const axes = this.#sizes.map((_, axis) => axis);
    for (let n = 0, missing = this.#allMissing(); missing.length > 0; missing = this.#allMissing(), n++) {
      let best: { readonly row: number[]; readonly gain: number } | undefined;
      for (let start = 0; start < 6; start++) {
        const [a, x, b, y] = missing[scatter(seed, n, start) % missing.length] ?? [0, 0, 0, 0];
        const row = axes.map((axis) => (axis === a ? x : axis === b ? y : -1));
        const rest = axes.filter((axis) => axis !== a && axis !== b);
        rest.sort((p, q) => scatter(seed + n, start, p) - scatter(seed + n, start, q));
        let gain = 1;
        for (const axis of rest) {
          const chosen = this.#best(row, axis, scatter(seed, n + start, axis));
          row[axis] = chosen.value;
          gain += chosen.gain;
        }
        if (!best || gain > best.gain) best = { row, gain };
      }
      if (best) this.#push(best.row);
    }
  }

  /** Append rows for the pairs that no row has, filling each row with as many of them as fit. */
  addMissing(): void {
    for (const [a, x, b, y] of this.#allMissing()) {
      if (this.#at(a, b, x, y) > 0) continue; // a row added for an earlier pair has it
      const row = this.#sizes.map((_, axis) => (axis === a ? x : axis === b ? y : -1));
      for (let axis = 0; axis < row.length; axis++) if (row[axis] === -1) row[axis] = this.#best(row, axis).value;
      this.#push(row);
    }
  }

  #growLinear(axis: number): boolean {
    const size = at(this.#sizes, axis);
    for (let p = 1; p <= size; p++)
      for (let q = 1; q <= size; q++) {
        if (p === size && q === size) continue;
        const rule = (row: readonly number[]) => (p * at(row, 0) + q * at(row, 1)) % size;
        if (this.#coversAll(axis, rule)) {
          for (const row of this.rows) this.#set(row, axis, rule(row));
          return true;
        }
      }
    return false;
  }

  #coversAll(axis: number, rule: (row: readonly number[]) => number): boolean {
    const size = at(this.#sizes, axis);
    const seen = Array.from({ length: axis }, (_, other) => new Uint8Array(at(this.#sizes, other) * size));
    let missing = seen.reduce((sum, pairs) => sum + pairs.length, 0);
    for (const row of this.rows) {
      const value = rule(row);
      for (const [other, pairs] of seen.entries()) {
        const pair = at(row, other) * size + value;
        if (pairs[pair] === 0) {
          pairs[pair] = 1;
          missing--;
        }
      }
    }
    return missing === 0;
  }

  #growGreedy(axis: number): number {
    const size = at(this.#sizes, axis);
    const used = new Int32Array(size);
    for (const [n, row] of this.rows.entries()) {
      let best = { value: 0, gain: -1 };
      for (let step = 0; step < size; step++) {
        const value = (n + step) % size;
        const gain = this.#gain(row, axis, value);
        if (gain > best.gain || (gain === best.gain && (used[value] ?? 0) < (used[best.value] ?? 0)))
          best = { value, gain };
      }
      used[best.value] = (used[best.value] ?? 0) + 1;
      this.#set(row, axis, best.value);
    }
    let missing = 0;
    for (let other = 0; other < axis; other++) missing += this.#uncovered(other, axis).length;
    return missing;
  }

  /** Move a value to a missing pair where the row's own pairs all stand elsewhere too. A few passes, or none helps. */
  #repair(axis: number): void {
    for (let pass = 0, moved = true; moved && pass < 8; pass++) {
      moved = false;
      for (let other = 0; other < axis; other++)
        for (const [x, value] of this.#uncovered(other, axis)) {
          const row = this.rows.find((one) => one[other] === x && this.#isSpare(one, axis));
          if (!row) continue;
          for (let i = 0; i < axis; i++) this.#count(i, axis, row, -1);
          this.#set(row, axis, value);
          moved = true;
        }
    }
  }

  #isSpare(row: readonly number[], axis: number): boolean {
    for (let other = 0; other < axis; other++)
      if (this.#at(other, axis, at(row, other), at(row, axis)) < 2) return false;
    return true;
  }

  #push(row: number[]): void {
    this.rows.push(row);
    for (let i = 0; i < row.length; i++) for (let j = i + 1; j < row.length; j++) this.#count(i, j, row, 1);
  }

  #allMissing(): (readonly [number, number, number, number])[] {
    const all: (readonly [number, number, number, number])[] = [];
    for (let a = 0; a < this.#sizes.length; a++)
      for (let b = a + 1; b < this.#sizes.length; b++)
        for (const [x, y] of this.#uncovered(a, b)) all.push([a, x, b, y]);
    return all;
  }

  #best(row: readonly number[], axis: number, first = 0): { readonly value: number; readonly gain: number } {
    const size = at(this.#sizes, axis);
    let best = { value: 0, gain: -1 };
    for (let step = 0; step < size; step++) {
      const value = (first + step) % size;
      const gain = this.#gain(row, axis, value);
      if (gain > best.gain) best = { value, gain };
    }
    return best;
  }

  #gain(row: readonly number[], axis: number, value: number): number {
    let gain = 0;
    for (let other = 0; other < row.length; other++) {
      if (other === axis || row[other] === undefined || row[other] === -1) continue;
      const pair =
        other < axis ? this.#at(other, axis, at(row, other), value) : this.#at(axis, other, value, at(row, other));
      if (pair === 0) gain++;
    }
    return gain;
  }

  #set(row: number[], axis: number, value: number): void {
    row[axis] = value;
    for (let other = 0; other < axis; other++) this.#count(other, axis, row, 1);
  }

  #uncovered(a: number, b: number): (readonly [number, number])[] {
    const counts = this.#pairs(a, b);
    const size = at(this.#sizes, b);
    const missing: (readonly [number, number])[] = [];
    for (const [pair, count] of counts.entries()) if (count === 0) missing.push([Math.floor(pair / size), pair % size]);
    return missing;
  }

  #pairs(a: number, b: number): Int32Array {
    return this.#counts.get(a * this.#sizes.length + b) ?? new Int32Array(0);
  }

  #at(a: number, b: number, x: number, y: number): number {
    return this.#pairs(a, b)[x * at(this.#sizes, b) + y] ?? 0;
  }

  #count(a: number, b: number, row: readonly number[], by: number): void {
    const pair = at(row, a) * at(this.#sizes, b) + at(row, b);
    const counts = this.#pairs(a, b);
    counts[pair] = (counts[pair] ?? 0) + by;
  }
}

/** Spread small numbers over 31 bits: the starts that are tried, the same in every process. */
function scatter(a: number, b: number, c: number): number {
  let mixed = Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 7, 0x85ebca77) ^ Math.imul(c + 13, 0xc2b2ae3d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 12)) & 0x7fffffff;
}

const at = (list: readonly number[], index: number): number => list[index] ?? 0;
