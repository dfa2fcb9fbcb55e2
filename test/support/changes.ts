/** Formats a call's database changes so that they are the same in every run. */

type Row = Record<string, unknown>;
type Rows = Map<string, Row[]>;

const uuid = /(?<![0-9a-f])[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/g;
const moment = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** Timestamps chosen by tests end like this. All others are written relative to now. */
const given = "-31T09:30:00.000Z";
const day = /\b\d{4}-\d\d-\d\d\b/g;
/** Sequence numbers, which count across all workspaces. */
const counted = /^ +"?sequence"?: \d+,?\n/gm;
const minuteMs = 60_000;
/** An upper bound for how long a replay spreads its deliveries. */
const paceMs = 20_000;
/** Longer than any test takes. */
const slowMinutes = 10;
const dayMs = 86_400_000;

/** Rounds up to minutes after subtracting the replay's spread, so that the result is the same on a slow machine. */
function fromNow(found: string): string {
  if (found.endsWith(given)) return found;
  const minutes = Math.ceil((Date.parse(found) - Date.now() - paceMs) / minuteMs);
  if (minutes > 0) return `[now + ${minutes} min]`;
  return minutes > -slowMinutes ? "[now]" : `[now - ${-minutes} min]`;
}

/** Dates this recent are written relative to today. Tests do not choose such dates. */
const recentDays = 40;

function fromToday(found: string): string {
  const days = Math.floor(Date.now() / dayMs) - Date.parse(found) / dayMs;
  if (days < 0 || days > recentDays) return found;
  return days === 0 ? "[today]" : `[today - ${days}]`;
}

/** Replaces ids with names, and other values that differ between runs with labels. */
export class Labels {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  constructor(rows: Rows) {
    for (const [table, ofTable] of rows) {
      for (const { id, status } of ofTable) {
        if (typeof id === "string") this.#add(id, typeof status === "string" ? `${table} ${status}` : table);
      }
    }
  }

  #add(id: string, name: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const label = count === 1 ? `[${name}]` : `[${name} ${count}]`;
    this.#names.set(id, label);
    return label;
  }

  textOf(told: readonly unknown[]): string {
    const parts = told.map((part) => (typeof part === "string" ? part : JSON.stringify(part, null, 2)));
    return `${parts.join("\n\n")}\n`
      .replaceAll(counted, "")
      .replaceAll(/\b\w{36}(?=@example\.com)/g, "[message]")
      .replaceAll(uuid, (id) => this.#names.get(id) ?? this.#add(id, "new"))
      .replaceAll(/(?<=erased client )[0-9a-f]{8}/gi, "[…]")
      .replaceAll(/(link_prefix\\*": ?\\*")[\w-]{8}/g, "$1[prefix]")
      .replaceAll(/(?<=127\.0\.0\.1:)\d+/g, "[port]")
      .replaceAll(moment, fromNow)
      .replaceAll(day, fromToday)
      .replaceAll(/\bsvc_[0-9a-f]+|\bwhsec_[\w+/=]+|[\w+/=-]{40,}/g, "[opaque]");
  }
}

const json = (value: unknown) => JSON.stringify(value);
const columns = (row: Row) =>
  Object.entries(row)
    .map(([name, value]) => `    ${name}: ${json(value)}`)
    .join("\n");

/** A row without an id is identified by its first columns. */
const keyOf = (row: Row) => String(row.id ?? json(Object.values(row).slice(0, 3)));

export const changesBetween = (before: Rows, after: Rows): string[] =>
  [...after].flatMap(([table, rows]) => {
    const old = new Map(before.get(table)?.map((row) => [keyOf(row), row]));
    const left = new Set(rows.map(keyOf));
    const gone = [...old.keys()].filter((key) => !left.has(key)).map((key) => `- ${table} ${key}`);
    const others = rows.flatMap((row) => {
      const key = keyOf(row);
      const was = old.get(key);
      if (!was) return [`+ ${table}\n${columns(row)}`];
      const different = Object.keys(row).filter((name) => row[name] !== was[name]);
      const lines = different.map((name) => `    ${name}: ${json(was[name])} -> ${json(row[name])}`);
      return lines.length === 0 ? [] : [[`~ ${table} ${key}`, ...lines].join("\n")];
    });
    return [...gone, ...others];
  });
