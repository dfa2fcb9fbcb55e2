export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

/** A list. `for await` iterates over its records and loads pages as needed. */
export class Listing<T, P extends Page<T> = Page<T>> implements AsyncIterable<T> {
  readonly #pageAt: (cursor?: string) => Promise<P>;

  constructor(pageAt: (cursor?: string) => Promise<P>) {
    this.#pageAt = pageAt;
  }

  /** The first page, or the page of the query's cursor. */
  page(): Promise<P> {
    return this.#pageAt();
  }

  /** Iterates over pages, for work on many records at once. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let page = await this.#pageAt();
    for (;;) {
      yield page;
      if (page.next_cursor === null) return;
      page = await this.#pageAt(page.next_cursor);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** The records as an array, at most `max`. Loads no more pages than needed. */
  async all(max = Number.POSITIVE_INFINITY): Promise<T[]> {
    const records: T[] = [];
    if (max <= 0) return records;
    for await (const record of this) if (records.push(record) >= max) break;
    return records;
  }
}
