import { type SQL, sql } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import type { eventCategories } from "../../contract/closed-sets.ts";
import { timestamp } from "../../contract/fields.ts";
import { now } from "../../db/columns.ts";
import { jsonObject } from "../../db/json-object.ts";
import { after, type Change, type Rows, type Statement } from "../../db/trigger.ts";
import { events } from "./tables.ts";

/**
 * Each event is declared once, with its name, its data and the row change that fires it. The schema, documented example
 * and trigger are derived from the declaration. No event contains an e-mail address, a client's free text or a payment
 * processor id.
 */
export interface WebhookEvent {
  category: EventCategory;
  /** Completes "Fires when …". */
  firesWhen: string;
  /** A delivery's body. */
  payload: z.ZodObject;
  example: { event: string; created_at: string; data: Record<string, unknown> };
  triggers: () => Statement[];
}

export type EventCategory = (typeof eventCategories)[number];

/** One data field: its schema, its SQL expression and a sample value. */
interface Field<S extends z.ZodType = z.ZodType> {
  schema: S;
  sql: SQL;
  example: z.output<S>;
}

export const field = <S extends z.ZodType>(schema: S, sql: SQL, example: z.output<S>): Field<S> => ({
  schema,
  sql,
  example,
});

type Data = Readonly<Record<string, Field>>;

/** The record that an event is about. */
interface Subject {
  table: SQLiteTable;
  /** Joins the other tables that supply the data. */
  joins: SQL;
  /** Excludes sample records, which never fire events. */
  where: SQL;
}

interface Declared<D extends Data> {
  category: EventCategory;
  firesWhen: string;
  firedBy: TriggerBuilder | readonly TriggerBuilder[];
  data: D;
  /** Overrides the fields' sample values. */
  example?: { readonly [K in keyof D]?: z.output<D[K]["schema"]> };
}

/** Declares the events for one kind of record, by name. */
export const eventsOf = <D extends Record<string, Data>>(
  subject: Subject,
  declared: { readonly [N in keyof D]: Declared<D[N]> },
): { readonly [N in keyof D]: WebhookEvent } =>
  Object.fromEntries(
    Object.entries<Declared<Data>>(declared).map(([name, event]) => [name, eventOf(name, subject, event)]),
  ) as { [N in keyof D]: WebhookEvent };

const eventOf = (
  name: string,
  subject: Subject,
  { category, firesWhen, firedBy, data, example }: Declared<Data>,
): WebhookEvent => ({
  category,
  firesWhen,
  payload: z.object({
    event: z.literal(name),
    created_at: timestamp.meta({ description: whenItHappened }),
    data: z.object(each(data, ({ schema }) => schema)),
  }),
  example: {
    event: name,
    created_at: "2026-01-31T09:30:00.000Z",
    data: { ...each(data, (one) => one.example), ...example },
  },
  triggers: () => [firedBy].flat().map((made) => made(name, insertOf(name, category, subject, data))),
});

const each = <T>(data: Data, see: (one: Field) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(data).map(([key, one]) => [key, see(one)]));

const whenItHappened = [
  "When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the",
  "same record, still process what this event reports (such as a payment or a comment), but keep the newer event's",
  "`status`, `review_state`, `amount_paid` and `amount_due`.",
].join(" ");

/** Builds the trigger that records an event. */
type TriggerBuilder = (event: string, insert: (subjectId: SQL) => SQL) => Statement;

interface TriggerBody {
  when?: SQL | undefined;
  /** The id of the record that the event is about. Defaults to the changed row's. */
  about?: SQL;
  /** Statements that the trigger runs before and after it records the event. */
  first?: readonly SQL[];
  last?: readonly SQL[];
}

/** Fires the event when one of the table's rows changes in this way. */
export const on =
  <T extends SQLiteTable>(
    table: T,
    change: Change<T>,
    write: (rows: Rows<T>) => TriggerBody,
  ): TriggerBuilder =>
  (event, insert) => {
    const kind = typeof change === "string" ? change.toLowerCase() : "update";
    return after(table, change, `${event.replace(".", "_")}_on_${kind}`, (rows) => {
      const { when, about = sql`NEW.id`, first = [], last = [] } = write(rows);
      return { when, do: [...first, insert(about), ...last] };
    });
  };

const insertOf = (event: string, category: EventCategory, { table, joins, where }: Subject, data: Data) => {
  const name = sql.raw(getTableConfig(table).name);
  return (subjectId: SQL) => sql`INSERT INTO ${events} (organization_id, event, category, subject_id, payload)
    SELECT ${name}.organization_id, ${event}, ${category}, ${name}.id, json_object(
      'event', ${event}, 'created_at', ${now}, 'data', ${jsonObject(each(data, (one) => one.sql))}
    )
    FROM ${table} ${joins}
    WHERE ${name}.id = ${subjectId} AND ${where}`;
};
