/**
 * The rollouts this page has seen, in the order in which they came: at most `max`, the oldest go first. A view of them is the
 * newest first, all or those that match; a search goes through them in slices, so that the page never waits for it.
 */
const sliceMs = 8;

export function createRows(onChange, max = 100_000) {
  let items = [];
  let first = 0; // the number of items[0]; numbers never change
  let numberOf = new Map();
  let matches;
  let newer = []; // numbers of those that came since the search began, ascending
  let older = []; // and of those that it found, descending
  let scanAt = -1;
  let searches = 0;

  const trim = () => {
    if (items.length <= max * 1.05) return;
    const gone = items.length - max;
    for (let n = 0; n < gone; n++) numberOf.delete(items[n].rollout_id);
    items = items.slice(gone);
    first += gone;
    while (older.length > 0 && older.at(-1) < first) older.pop();
    if (newer[0] < first) newer = newer.filter((number) => number >= first);
  };
  const scan = (search) => {
    if (search !== searches) return; // another one has begun
    const end = performance.now() + sliceMs;
    for (; scanAt >= first; scanAt--) {
      if (matches(items[scanAt - first])) older.push(scanAt);
      if (scanAt % 256 === 0 && performance.now() > end) {
        scanAt--;
        setTimeout(scan, 0, search);
        onChange();
        return;
      }
    }
    onChange();
  };
  const numberAt = (n) => {
    if (!matches) return first + items.length - 1 - n;
    return n < newer.length ? newer[newer.length - 1 - n] : older[n - newer.length];
  };
  return {
    put(head) {
      const known = numberOf.get(head.rollout_id);
      if (known !== undefined) {
        items[known - first] = head;
        return;
      }
      const number = first + items.length;
      numberOf.set(head.rollout_id, number);
      items.push(head);
      if (matches?.(head)) newer.push(number);
    },
    trim,
    clear() {
      items = [];
      numberOf = new Map();
      [newer, older, first] = [[], [], 0];
      searches++;
    },
    /** Show all without a rule. */
    filter(rule) {
      matches = rule;
      [newer, older] = [[], []];
      scanAt = first + items.length - 1;
      if (rule) scan(++searches);
      else searches++;
      onChange();
    },
    isSearching: () => matches !== undefined && scanAt >= first,
    length: () => (matches ? newer.length + older.length : items.length),
    held: () => items.length,
    at: (n) => items[numberAt(n) - first],
    /** Where a rollout stands in the view; -1 when it does not. */
    placeOf(id) {
      const number = numberOf.get(id);
      if (number === undefined) return -1;
      if (!matches) return first + items.length - 1 - number;
      const fresh = search(newer, number, 1);
      if (fresh >= 0) return newer.length - 1 - fresh;
      const found = search(older, number, -1);
      return found < 0 ? -1 : newer.length + found;
    },
    newest: (n) => items.slice(-n).reverse(),
  };
}

/** The place of a number in a list that is sorted, up (1) or down (-1); -1 when it is not there. */
function search(list, wanted, direction) {
  let [low, high] = [0, list.length - 1];
  while (low <= high) {
    const mid = (low + high) >> 1;
    const side = (list[mid] - wanted) * direction;
    if (side === 0) return mid;
    if (side < 0) low = mid + 1;
    else high = mid - 1;
  }
  return -1;
}
