interface Result {
  results: Record<string, unknown>[];
  meta: { rows_read: number; rows_written: number };
}

interface Used {
  trips: number;
  rows_read: number;
  rows_written: number;
}

/** A client for the database of thin-d1.mjs. */
export class Database {
  readonly #address: string;

  constructor(address: string) {
    this.#address = address;
  }

  async run(sql: string, ...params: unknown[]): Promise<Result> {
    const body = JSON.stringify({ sql, params });
    const answer = await fetch(`${this.#address}/query`, { method: "POST", body });
    if (!answer.ok) throw new Error(await answer.text());
    const [result] = (await answer.json()) as [Result];
    return result;
  }

  async bytes(): Promise<number> {
    return (await (await fetch(`${this.#address}/bytes`)).json()) as number;
  }

  /** Allows the file to grow by this many pages. */
  async leaveRoom(pages: number): Promise<void> {
    const answer = await fetch(`${this.#address}/pages`, { method: "POST", body: JSON.stringify(pages) });
    if (!answer.ok) throw new Error(await answer.text());
  }

  /** D1 usage while `work` ran. */
  async used(work: () => Promise<unknown>): Promise<Used> {
    const before = await this.#used();
    await work();
    const after = await this.#used();
    return {
      trips: after.trips - before.trips,
      rows_read: after.rows_read - before.rows_read,
      rows_written: after.rows_written - before.rows_written,
    };
  }

  async #used(): Promise<Used> {
    return (await (await fetch(`${this.#address}/used`)).json()) as Used;
  }
}
