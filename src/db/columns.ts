import { sql } from "drizzle-orm";
import { integer, text } from "drizzle-orm/sqlite-core";

/** Columns shared by many tables. test/database/schema.test.ts checks every table against the migrations. */

/** The time at which the statement runs, as UTC text with milliseconds. */
export const now = sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

/** The current time, shifted by an SQLite modifier such as `+60 seconds`. */
export const nowWith = (modifier: string) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${modifier})`;

export const flag = () => integer({ mode: "boolean" });

export const createdAt = { created_at: text().notNull().default(now) };
export const stamps = { ...createdAt, updated_at: text().notNull().default(now) };

/** A random UUID (version 4), for rows inserted by triggers. */
export const randomId = sql`lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4'
  || substr(hex(randomblob(2)), 2) || '-' || substr('89ab', 1 + (random() & 3), 1)
  || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`;

const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** 48 random bits as 8 characters of base64url. */
export const randomPrefix = sql.join(
  Array.from({ length: 8 }, () => sql`substr(${sql.raw(`'${base64url}'`)}, 1 + (random() & 63), 1)`),
  sql` || `,
);

/** A UUID that ascends with time (version 7). */
export const ascendingId = sql`printf('%08x-%04x-7%s-%s%s-%s', cast(unixepoch('subsec') * 1000 AS INTEGER) >> 16,
  cast(unixepoch('subsec') * 1000 AS INTEGER) & 65535, lower(substr(hex(randomblob(2)), 2)),
  substr('89ab', 1 + (random() & 3), 1), lower(substr(hex(randomblob(2)), 2)), lower(hex(randomblob(6))))`;
