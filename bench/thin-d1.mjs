// D1's wire protocol (from `cloudflare-internal:d1-api`) over one SQLite Durable Object. It omits what the D1 simulator
// adds to SQLite (validation, change counters, bookmarks), so that a benchmark measures only the Worker. `rows_read`
// and `rows_written` are SQLite's own figures, which D1 reports and bills.
import { DurableObject } from "cloudflare:workers";

/** SQLite's default page size. */
const pageBytes = 4096;

export class D1 extends DurableObject {
  #used = { trips: 0, rows_read: 0, rows_written: 0 };

  #run({ sql, params = [] }, asArrays) {
    const cursor = this.ctx.storage.sql.exec(sql, ...params);
    const columns = cursor.columnNames;
    const rows = [...cursor.raw()];
    const results = asArrays ? { columns, rows } : rows.map((row) => named(columns, row));
    const { rowsRead: rows_read, rowsWritten: rows_written } = cursor;
    this.#used.rows_read += rows_read;
    this.#used.rows_written += rows_written;
    const meta = { served_by: "thin-d1", duration: 0, changes: 0, last_row_id: 0, size_after: 0 };
    return {
      success: true,
      results,
      meta: { ...meta, changed_db: rows_written > 0, rows_read, rows_written },
    };
  }

  async fetch(request) {
    if (request.url.endsWith("/used")) return Response.json(this.#used);
    if (request.url.endsWith("/bytes")) return Response.json(this.ctx.storage.sql.databaseSize);
    if (request.url.endsWith("/pages")) {
      const { sql } = this.ctx.storage;
      sql.setMaxPageCountForTest(sql.databaseSize / pageBytes + (await request.json()));
      return new Response();
    }
    try {
      const queries = [await request.json()].flat();
      const asArrays = request.url.includes("ROWS_AND_COLUMNS");
      this.#used.trips += 1;
      const answer = () => queries.map((query) => this.#run(query, asArrays));
      return Response.json(queries.length > 1 ? this.ctx.storage.transactionSync(answer) : answer());
    } catch (error) {
      return Response.json({ success: false, error: String(error.message) }, { status: 500 });
    }
  }
}

function named(columns, row) {
  const record = {};
  for (let index = 0; index < columns.length; index += 1) record[columns[index]] = row[index];
  return record;
}

export default { fetch: (request, env) => env.D1.getByName("bench").fetch(request) };
