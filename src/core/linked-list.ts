/** What stands in a list knows its neighbours. It stands in one list at a time. */
export interface Linked<T extends Linked<T>> {
  list: LinkedList<T> | undefined;
  before: T | undefined;
  after: T | undefined;
}

/** Items in an order: the first was put there longest ago. To put one last, or to take one out, costs the same in a long list. */
export class LinkedList<T extends Linked<T>> {
  first: T | undefined = undefined;
  #last: T | undefined = undefined;
  size = 0;

  /** Put an item last, wherever it stood before. */
  add(item: T): void {
    item.list?.delete(item);
    item.list = this;
    item.before = this.#last;
    if (this.#last) this.#last.after = item;
    else this.first = item;
    this.#last = item;
    this.size++;
  }

  /** Take an item of this list out of it. */
  delete(item: T): void {
    const { before, after } = item;
    if (before) before.after = after;
    else this.first = after;
    if (after) after.before = before;
    else this.#last = before;
    item.list = undefined;
    item.before = undefined;
    item.after = undefined;
    this.size--;
  }
}
