export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

/** A list: `for await` walks all of its records, `page()` gives one page to those who keep the cursor themselves. */
export class Listing<T, P extends Page<T> = Page<T>> implements AsyncIterable<T> {
  readonly #pageAt: (cursor?: string) => Promise<P>;

  constructor(pageAt: (cursor?: string) => Promise<P>) {
    this.#pageAt = pageAt;
  }

  /** The first page, or the one that the query's cursor names. */
  page(): Promise<P> {
    return this.#pageAt();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let page = await this.#pageAt();
    for (;;) {
      yield* page.data;
      if (page.next_cursor === null) return;
      page = await this.#pageAt(page.next_cursor);
    }
  }
}
