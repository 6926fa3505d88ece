/** A list of numbers that grows. */
export function growable(fill = 0) {
  let values = new Int32Array(1024).fill(fill);
  let length = 0;
  return {
    get length() {
      return length;
    },
    at: (place: number): number => values[place] ?? fill,
    set(place: number, value: number): void {
      values[place] = value;
    },
    push(value: number): number {
      if (length === values.length) {
        const larger = new Int32Array(2 * length).fill(fill, length);
        larger.set(values);
        values = larger;
      }
      values[length] = value;
      return length++;
    },
  };
}

/**
 * Number the n-grams of texts, exactly: two n-grams have one number when their words are the same. Memory: about 20 bytes for
 * each different n-gram, whatever its length.
 *
 * @param n - words of an n-gram
 */
export function gramIds(n: number) {
  const words = new Map<string, number>();
  const texts: Int32Array[] = [];
  // of each n-gram: a text and a place in it where it stands, and its hash
  const [inText, atPlace, hashes] = [growable(), growable(), growable()];
  let slots = new Int32Array(2048).fill(-1);

  const spells = (id: number, text: Int32Array, at: number): boolean => {
    const known = texts[inText.at(id)] as Int32Array;
    const place = atPlace.at(id);
    for (let word = 0; word < n; word++) if (known[place + word] !== text[at + word]) return false;
    return true;
  };
  const slotOf = (hash: number, text: Int32Array, at: number): number => {
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let id = slots[slot] ?? -1; id >= 0; id = slots[slot] ?? -1) {
      if (hashes.at(id) === hash && spells(id, text, at)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  };
  const grow = (): void => {
    const larger = new Int32Array(2 * slots.length).fill(-1);
    const mask = larger.length - 1;
    for (let id = 0; id < hashes.length; id++) {
      let slot = hashes.at(id) & mask;
      while ((larger[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
      larger[slot] = id;
    }
    slots = larger;
  };
  const gramsOf = (text: Int32Array, numberOf: (hash: number, at: number) => number): Int32Array =>
    Int32Array.from({ length: Math.max(0, text.length - n + 1) }, (_, at) => {
      let hash = 0x811c9dc5;
      for (let word = at; word < at + n; word++) hash = Math.imul(hash ^ (text[word] ?? 0), 0x9e3779b1) ^ (hash >>> 15);
      return numberOf(hash ^ (hash >>> 16), at);
    });
  return {
    count: () => hashes.length,
    /** The n-grams of a text; those that were never kept are -1. */
    find: (text: readonly string[]): Int32Array => {
      const numbered = Int32Array.from(text, (word) => words.get(word) ?? -1);
      return gramsOf(numbered, (hash, at) => slots[slotOf(hash, numbered, at)] ?? -1);
    },
    /** The n-grams of a text that is kept from now on, the new ones numbered. */
    keep(text: readonly string[]): Int32Array {
      const numbered = Int32Array.from(text, (word) => {
        const known = words.get(word) ?? words.size;
        if (known === words.size) words.set(word, known);
        return known;
      });
      const own = texts.push(numbered) - 1;
      return gramsOf(numbered, (hash, at) => {
        const slot = slotOf(hash, numbered, at);
        const known = slots[slot] ?? -1;
        if (known >= 0) return known;
        const id = hashes.push(hash);
        inText.push(own);
        atPlace.push(at);
        slots[slot] = id;
        if (2 * hashes.length > slots.length) grow();
        return id;
      });
    },
  };
}
