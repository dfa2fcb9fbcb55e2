import { backupLimits } from "../../contract/backup-limits.ts";
import type { Services } from "../services.ts";
import { copyImages, forgetErased } from "./copy-images.ts";

/**
 * Writes the nightly database backup to a separate bucket, as pages of SQL in reverse order: page 0 creates
 * views and triggers, the next pages contain the rows (each table before those it refers to), and the last page
 * creates the tables. Concatenated from last to first, they are a file for `wrangler d1 execute DB --file`.
 * Images are copied after the rows that refer to them (copy-images.ts). The service keeps running, so the copy
 * is not a snapshot.
 */

/**
 * The next step of a backup. A page of rows or a list of images starts after a key. `forget` deletes the copies of
 * erased images, and `end` records the number of pages.
 */
type BackupStep =
  | { step: "later" | "tables" | "forget" | "end" }
  | { step: "rows"; table: string; after: unknown[] | null }
  | { step: "images"; list: number; after: string | null };

interface Backup {
  /** The date, UTC. */
  day: string;
  /** The number of SQL pages so far. */
  pages: number;
  place: BackupStep | null;
}

type Uses = Pick<Services, "db" | "images" | "backups">;

interface Table {
  name: string;
  sql: string;
}

export const pageKey = (day: string, page: number): string =>
  `${day}/${String(page).padStart(6, "0")}.sql.gz`;

/** Returns the key of a backup's image list, which has one JSON line per image. */
const listKey = (day: string, list: number): string =>
  `${day}/images/${String(list).padStart(6, "0")}.jsonl.gz`;

/** Records the number of SQL pages once a backup is complete. */
export const endKey = (day: string): string => `${day}/pages`;

/** Works on tonight's backup for `backupLimits.stepMs`, once its starting hour has come. */
export async function backUp(services: Uses & Pick<Services, "backupHour">): Promise<void> {
  const { db, backupHour } = services;
  if (backupHour === null) return;
  const backup = await leaseBackup(db, backupHour);
  if (backup === null) return;
  const endsMs = Date.now() + backupLimits.stepMs;
  try {
    const tables = await tablesOf(db);
    while (backup.place !== null && Date.now() < endsMs) {
      const { step }: BackupStep = backup.place;
      backup.place = await runStep(services, backup, backup.place, tables);
      if (isOfSql(step)) backup.pages += 1;
    }
  } finally {
    await release(db, backup);
  }
}

const isOfSql = (step: BackupStep["step"]): boolean => ["later", "rows", "tables"].includes(step);

/**
 * Creates tonight's backup if it is due, then leases the newest one. Returns null if that backup is finished or already
 * leased.
 */
async function leaseBackup(db: D1Database, hour: number): Promise<Backup | null> {
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
  const [backup] = taken?.results ?? [];
  return backup ? { ...backup, place: JSON.parse(backup.place) } : null;
}

const release = (db: D1Database, { day, pages, place }: Backup) =>
  db
    .prepare(
      `UPDATE backups SET pages = ?1, place = ?2, leased_until = NULL,
        finished_at = iif(?2 = 'null', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), NULL) WHERE day = ?3`,
    )
    .bind(pages, JSON.stringify(place), day)
    .run();

/** Lists the tables in copying order: the newest comes first, because it may refer to older ones. */
async function tablesOf(db: D1Database): Promise<Table[]> {
  const tables = db.prepare(
    `SELECT name, sql FROM sqlite_schema
     WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' ORDER BY rowid DESC`,
  );
  return (await tables.all<Table>()).results;
}

/**
 * Writes the next file and returns the step after it; null at the end. If the file exists, an earlier run wrote it and
 * crashed. A locked bucket does not let the file be overwritten, so the next step is read from its metadata.
 */
async function runStep(
  services: Uses,
  backup: Backup,
  place: BackupStep,
  tables: Table[],
): Promise<BackupStep | null> {
  const { db, backups } = services;
  const { day, pages } = backup;
  if (place.step === "forget") return (await forgetErased(services)) ? place : { step: "end" };
  const key = keyOf(backup, place);
  const written = await backups.head(key);
  if (written?.customMetadata?.next) return JSON.parse(written.customMetadata.next);
  if (place.step === "end") {
    await backups.put(key, String(pages), { customMetadata: { next: "null" } });
    return null;
  }
  const { text, next } =
    place.step === "images" ? await listOf(services, day, place) : await pageOf(db, place, tables);
  const gzipped = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const customMetadata = { next: JSON.stringify(next) };
  await backups.put(key, await new Response(gzipped).arrayBuffer(), { customMetadata });
  return next;
}

function keyOf({ day, pages }: Backup, place: BackupStep): string {
  if (place.step === "end") return endKey(day);
  return place.step === "images" ? listKey(day, place.list) : pageKey(day, pages);
}

async function listOf(
  services: Uses,
  day: string,
  { list, after }: Extract<BackupStep, { step: "images" }>,
): Promise<{ text: string; next: BackupStep }> {
  const { lines, last } = await copyImages(services, day, after);
  const next: BackupStep =
    last === null ? { step: "forget" } : { step: "images", list: list + 1, after: last };
  return { text: lines, next };
}

async function pageOf(
  db: D1Database,
  place: BackupStep,
  tables: Table[],
): Promise<{ text: string; next: BackupStep }> {
  const scriptOf = (statements: Pick<Table, "sql">[]) => statements.map(({ sql }) => `${sql};\n`).join("");
  const stepAfter = (index: number): BackupStep => {
    // The table of backups is left out, because a database restored from this copy starts with a new one.
    const table = tables.slice(index + 1).find(({ name }) => name !== "backups");
    return table ? { step: "rows", table: table.name, after: null } : { step: "tables" };
  };
  if (place.step === "tables") {
    // Some indexes are needed before the rows, because foreign keys refer to them.
    const text = scriptOf(tables.toReversed()) + scriptOf(await sqlOf(db, ["index"]));
    return { text, next: { step: "images", list: 0, after: null } };
  }
  if (place.step !== "rows")
    return { text: scriptOf(await sqlOf(db, ["view", "trigger"])), next: stepAfter(-1) };
  const index = tables.findIndex(({ name }) => name === place.table);
  const table = tables[index];
  if (!table) throw new Error(`${place.table} is gone: the schema changed during the backup`);
  const { text, last } = await rowsOf(db, table, place.after);
  return { text, next: last ? { ...place, after: last } : stepAfter(index) };
}

/** Returns the SQL of all objects of these types, grouped by type, in creation order. */
async function sqlOf(db: D1Database, types: string[]): Promise<Pick<Table, "sql">[]> {
  const found = db.prepare(
    `SELECT sql FROM json_each(?) AS wanted CROSS JOIN sqlite_schema ON sqlite_schema.type = wanted.value
     WHERE sql IS NOT NULL ORDER BY wanted.key, sqlite_schema.rowid`,
  );
  return (await found.bind(JSON.stringify(types)).all<Pick<Table, "sql">>()).results;
}

/** Reads a table's rows after a key, in key order, and the last row's key if there may be more. */
async function rowsOf(db: D1Database, { name, sql }: Table, after: unknown[] | null) {
  // Generated columns are left out, since INSERT may not write them.
  const info = db.prepare("SELECT name, pk FROM pragma_table_info(?) ORDER BY pk").bind(name);
  const columns = (await info.all<{ name: string; pk: number }>()).results;
  // The rowid is copied as well, because it is the order in which rows were created.
  const hasRowid = !/\bWITHOUT ROWID\b|\bINTEGER PRIMARY KEY\b/.test(sql);
  const key = hasRowid ? ["rowid"] : columns.filter(({ pk }) => pk > 0).map((column) => column.name);
  const copied = [...(hasRowid ? key : []), ...columns.map((column) => column.name)];
  const [keyList, list] = [key, copied].map((names) => names.map((one) => `"${one}"`).join(", "));
  const where = after ? `WHERE (${keyList}) > (${key.map(() => "?").join(", ")})` : "";
  const limit = backupLimits.rowsOfTable[name] ?? backupLimits.rows;
  const rows = await db
    .prepare(`SELECT ${list} FROM ${name} ${where} ORDER BY ${keyList} LIMIT ${limit}`)
    .bind(...(after ?? []))
    .raw<unknown[]>();
  const lastRow = rows.length < limit ? undefined : rows.at(-1);
  return {
    text: rows
      .map((row) => `INSERT INTO ${name} (${list}) VALUES (${row.map(literal).join(", ")});\n`)
      .join(""),
    last: lastRow && key.map((column) => lastRow[copied.indexOf(column)]),
  };
}

/** Formats a value as an SQL literal. No table has a BLOB. */
function literal(value: unknown): string {
  if (value === null) return "NULL";
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}
