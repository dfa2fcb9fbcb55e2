import { backupLimits } from "../../contract/backup-limits.ts";
import type { Services } from "../services.ts";

/**
 * The nightly copy of the database, as SQL in pages of a bucket of its own. Page 0 makes views and triggers, the last
 * one makes tables with their indexes, and those between fill them, a table before those that it refers to. Put
 * together from the last page to the first, they are a file for `wrangler d1 execute DB --file`. It is not a copy of
 * one moment.
 */

/** What comes next: a page of rows begins behind a key. `end`: all pages are there, and it is said how many. */
type Place = { step: "later" | "tables" | "end" } | { step: "rows"; table: string; after: unknown[] | null };

interface Night {
  /** UTC. */
  day: string;
  /** How many pages it has so far. */
  pages: number;
  place: Place | null;
}

interface Table {
  name: string;
  sql: string;
}

export const pageKey = (day: string, page: number): string =>
  `${day}/${String(page).padStart(6, "0")}.sql.gz`;

/** Holds how many pages a night's copy has, once it has all. */
export const endKey = (day: string): string => `${day}/pages`;

/** Goes on with the copy of this night, for a while, from the hour on at which it begins. */
export async function backUp({
  db,
  backups,
  backupHour,
}: Pick<Services, "db" | "backups" | "backupHour">): Promise<void> {
  if (backupHour === null) return;
  const night = await takeNight(db, backupHour);
  if (night === null) return;
  const endsMs = Date.now() + backupLimits.stepMs;
  try {
    const tables = await tablesOf(db);
    while (night.place !== null && Date.now() < endsMs) {
      night.place = await goOn(db, backups, night, night.place, tables);
      night.pages += 1;
    }
  } finally {
    await release(db, night);
  }
}

/** Begins tonight's copy when it is due, and leases the newest unfinished one; null if another run has it. */
async function takeNight(db: D1Database, hour: number): Promise<Night | null> {
  const [, , taken] = await db.batch<{ day: string; pages: number; place: string }>([
    db
      .prepare(
        `INSERT INTO backups (day) SELECT date('now') WHERE CAST(strftime('%H', 'now') AS INTEGER) >= ?
         ON CONFLICT (day) DO NOTHING`,
      )
      .bind(hour),
    db.prepare("DELETE FROM backups WHERE day < date('now', ?)").bind(`-${backupLimits.keptDays} days`),
    db
      .prepare(
        `UPDATE backups SET leased_until = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?)
         WHERE day = (SELECT max(day) FROM backups) AND finished_at IS NULL
           AND (leased_until IS NULL OR leased_until < strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
         RETURNING day, pages, place`,
      )
      .bind(`+${backupLimits.leaseMinutes} minutes`),
  ]);
  const [night] = taken?.results ?? [];
  return night ? { ...night, place: JSON.parse(night.place) } : null;
}

const release = (db: D1Database, { day, pages, place }: Night) =>
  db
    .prepare(
      `UPDATE backups SET pages = ?1, place = ?2, leased_until = NULL,
        finished_at = iif(?2 = 'null', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), NULL) WHERE day = ?3`,
    )
    .bind(pages, JSON.stringify(place), day)
    .run();

/** In the order in which they are copied: the one made last first, since it may refer to the others. */
async function tablesOf(db: D1Database): Promise<Table[]> {
  const tables = db.prepare(
    `SELECT name, sql FROM sqlite_schema
     WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' ORDER BY rowid DESC`,
  );
  return (await tables.all<Table>()).results;
}

/**
 * Writes what comes next, and answers what comes then; null: nothing. What is there already was written by a run that
 * died behind it: a locked bucket does not take it again, and it says itself where it ends.
 */
async function goOn(
  db: D1Database,
  backups: R2Bucket,
  { day, pages }: Night,
  place: Place,
  tables: Table[],
): Promise<Place | null> {
  const key = place.step === "end" ? endKey(day) : pageKey(day, pages);
  const written = await backups.head(key);
  if (written?.customMetadata?.next) return JSON.parse(written.customMetadata.next);
  if (place.step === "end") {
    await backups.put(key, String(pages), { customMetadata: { next: "null" } });
    return null;
  }
  const { sql, next } = await pageOf(db, place, tables);
  const gzipped = new Blob([sql]).stream().pipeThrough(new CompressionStream("gzip"));
  const customMetadata = { next: JSON.stringify(next) };
  await backups.put(key, await new Response(gzipped).arrayBuffer(), { customMetadata });
  return next;
}

async function pageOf(db: D1Database, place: Place, tables: Table[]): Promise<{ sql: string; next: Place }> {
  const scriptOf = (statements: Pick<Table, "sql">[]) => statements.map(({ sql }) => `${sql};\n`).join("");
  const behind = (index: number): Place => {
    const table = tables[index + 1];
    return table ? { step: "rows", table: table.name, after: null } : { step: "tables" };
  };
  if (place.step === "tables") {
    // Foreign keys refer to some of the indexes.
    const sql = scriptOf(tables.toReversed()) + scriptOf(await made(db, ["index"]));
    return { sql, next: { step: "end" } };
  }
  if (place.step !== "rows") return { sql: scriptOf(await made(db, ["view", "trigger"])), next: behind(-1) };
  const index = tables.findIndex(({ name }) => name === place.table);
  const table = tables[index];
  if (!table) throw new Error(`${place.table} is gone: the schema changed during the backup`);
  const { sql, last } = await rowsOf(db, table, place.after);
  return { sql, next: last ? { ...place, after: last } : behind(index) };
}

/** What is made of these types, in their order. */
async function made(db: D1Database, types: string[]): Promise<Pick<Table, "sql">[]> {
  const found = db.prepare(
    `SELECT sql FROM json_each(?) AS wanted CROSS JOIN sqlite_schema ON sqlite_schema.type = wanted.value
     WHERE sql IS NOT NULL ORDER BY wanted.key, sqlite_schema.rowid`,
  );
  return (await found.bind(JSON.stringify(types)).all<Pick<Table, "sql">>()).results;
}

/** The rows of a table behind a key, in its order; the key of the last one, if there may be more. */
async function rowsOf(db: D1Database, { name, sql }: Table, after: unknown[] | null) {
  // It tells of no generated column, which no INSERT may write.
  const info = db.prepare("SELECT name, pk FROM pragma_table_info(?) ORDER BY pk").bind(name);
  const columns = (await info.all<{ name: string; pk: number }>()).results;
  // A rowid is copied, too: it is the order in which rows were made.
  const hasRowid = !/\bWITHOUT ROWID\b|\bINTEGER PRIMARY KEY\b/.test(sql);
  const key = hasRowid ? ["rowid"] : columns.filter(({ pk }) => pk > 0).map((column) => column.name);
  const copied = [...(hasRowid ? key : []), ...columns.map((column) => column.name)];
  const [keyList, list] = [key, copied].map((names) => names.map((one) => `"${one}"`).join(", "));
  const behind = after ? `WHERE (${keyList}) > (${key.map(() => "?").join(", ")})` : "";
  const limit = backupLimits.rowsOfTable[name] ?? backupLimits.rows;
  const rows = await db
    .prepare(`SELECT ${list} FROM ${name} ${behind} ORDER BY ${keyList} LIMIT ${limit}`)
    .bind(...(after ?? []))
    .raw<unknown[]>();
  const lastRow = rows.length < limit ? undefined : rows.at(-1);
  return {
    sql: rows
      .map((row) => `INSERT INTO ${name} (${list}) VALUES (${row.map(literal).join(", ")});\n`)
      .join(""),
    last: lastRow && key.map((column) => lastRow[copied.indexOf(column)]),
  };
}

/** No table has a BLOB. */
function literal(value: unknown): string {
  if (value === null) return "NULL";
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}
