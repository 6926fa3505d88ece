/** A map that keeps the keys which were set last. */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number;

  /** Keep `max` keys; each costs its entry. */
  constructor(max: number) {
    super();
    this.#max = max;
  }

  /** Set a key and make it the latest; the one that was set longest ago is forgotten when there are too many. */
  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#max) this.delete(this.keys().next().value as Key);
    return this;
  }
}
