import { onesOf } from '../../../core/bit-set.ts';

/**
 * Where the yes or no of each row stands as a bit, so that what is counted within tasks is counted 32 rows at a time. A task
 * of up to eight rows has a byte, a larger one as many words as it needs; tasks alike in size and pass rate stand together.
 */
export interface BitPlaces {
  /** The bit of each row. */
  readonly places: Int32Array;
  readonly blocks: readonly Block[];
  readonly words: number;
  /** The first of them hold the tasks whose rewards differ: nothing else can pass beyond its share. */
  readonly mixedWords: number;
}

/** Tasks of one size and one pass rate: the words from `from` to before `to`. */
interface Block {
  readonly size: number;
  readonly share: number;
  readonly from: number;
  readonly to: number;
}

const byteRows = 8;

/**
 * Give each row its bit.
 *
 * @param starts - where the rows of each task begin, and their number at the end
 * @param shareOf - the pass rate of a task
 */
export function bitPlaces(starts: Int32Array, shareOf: (task: number) => number): BitPlaces {
  const alike = new Map<string, { readonly size: number; readonly share: number; readonly tasks: number[] }>();
  for (let task = 0; task + 1 < starts.length; task++) {
    const size = (starts[task + 1] as number) - (starts[task] as number);
    const share = shareOf(task);
    const key = `${size} ${share}`;
    const known = alike.get(key);
    if (known) known.tasks.push(task);
    else alike.set(key, { size, share, tasks: [task] });
  }
  const places = new Int32Array(starts.at(-1) ?? 0);
  const blocks: Block[] = [];
  let words = 0;
  const kinds = [...alike.values()];
  for (const { size, share, tasks } of [...kinds.filter(isMixed), ...kinds.filter((kind) => !isMixed(kind))]) {
    const bits = bitsOfTask(size);
    for (const [n, task] of tasks.entries())
      for (let row = 0; row < size; row++) places[(starts[task] as number) + row] = 32 * words + n * bits + row;
    const to = words + Math.ceil((tasks.length * bits) / 32);
    blocks.push({ size, share, from: words, to });
    words = to;
  }
  return { places, blocks, words, mixedWords: blocks.filter(isMixed).at(-1)?.to ?? 0 };
}

const isMixed = ({ share }: { readonly share: number }): boolean => share > 0;

const bitsOfTask = (size: number): number => (size <= byteRows ? byteRows : Math.ceil(size / 32) * 32);

/** Set the bits of the rows whose value is above 0, and clear all others. */
export function setBits(bits: Int32Array, values: ArrayLike<number>, { places }: BitPlaces): void {
  bits.fill(0);
  for (let row = 0; row < places.length; row++) {
    const place = places[row] as number;
    const isSet = Number((values[row] as number) > 0); // no branch: of shuffled values no next one can be guessed
    bits[place >>> 5] = (bits[place >>> 5] as number) | (isSet << (place & 31));
  }
}

/** How many rows two features share, what they spread within tasks, and how many of the rows passed beyond their task's share. */
export interface Overlap {
  readonly observed: number;
  /** Sum over tasks of shared rows less the square of them over the size of the task. */
  readonly within: number;
  readonly beyond: number;
}

/** Measure the rows that have both features: their bits, and those of the rows that passed. */
export function overlap(a: Int32Array, b: Int32Array, passed: Int32Array, { blocks }: BitPlaces): Overlap {
  let [observed, within, beyond] = [0, 0, 0];
  for (const { size, share, from, to } of blocks) {
    const wide = size <= byteRows ? 0 : bitsOfTask(size) / 32;
    let [both, passes, squares, inTask] = [0, 0, 0, 0];
    for (let at = from; at < to; at++) {
      const shared = (a[at] as number) & (b[at] as number);
      passes += onesOf(shared & (passed[at] as number));
      const counts = (countsOf[shared & 0xffff] as number) + (countsOf[shared >>> 16] as number);
      both += counts & 0xff;
      if (wide === 0) squares += counts >>> 8;
      else {
        inTask += counts & 0xff;
        if ((at - from) % wide < wide - 1) continue;
        squares += inTask * inTask;
        inTask = 0;
      }
    }
    observed += both;
    within += both - squares / size;
    beyond += passes - both * share;
  }
  return { observed, within, beyond };
}

/** Of 16 bits, how many are ones, and from the ninth bit on the squares of the ones of both bytes, summed. */
const countsOf = Uint16Array.from({ length: 1 << 16 }, (_, bits) => {
  const [low, high] = [onesOf(bits & 0xff), onesOf(bits >>> 8)];
  return low + high + ((low * low + high * high) << 8);
});
