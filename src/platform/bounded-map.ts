/** A map that is cleared before it would exceed its maximum number of entries. */
export class BoundedMap<T> extends Map<string, T> {
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    super();
    this.#maxEntries = maxEntries;
  }

  override set(key: string, value: T): this {
    if (this.size >= this.#maxEntries && !this.has(key)) this.clear();
    return super.set(key, value);
  }
}
