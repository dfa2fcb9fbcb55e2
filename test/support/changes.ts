/** What a call changes in the database, written so that it is the same in every run. */

type Row = Record<string, unknown>;
type Rows = Map<string, Row[]>;

const uuid = /(?<![0-9a-f])[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/g;
const moment = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** Times that tests give their rows are in this range; all others are written relative to now. */
const given = "-31T09:30:00.000Z";
const day = /\b\d{4}-\d\d-\d\d\b/g;
/** What a table counts over all workspaces. */
const counted = /^ +"?sequence"?: \d+,?\n/gm;
const minuteMs = 60_000;
/** A replay spreads its deliveries over less than this. */
const paceMs = 20_000;
/** No test takes longer. */
const slowMinutes = 10;
const dayMs = 86_400_000;

/** Rounded up except for the seconds of a pace, so that a slow machine writes the same. */
function fromNow(found: string): string {
  if (found.endsWith(given)) return found;
  const minutes = Math.ceil((Date.parse(found) - Date.now() - paceMs) / minuteMs);
  if (minutes > 0) return `[now + ${minutes} min]`;
  return minutes > -slowMinutes ? "[now]" : `[now - ${-minutes} min]`;
}

/** Days that are written relative to today; no test gives its rows one of them. */
const recentDays = 40;

function fromToday(found: string): string {
  const days = Math.floor(Date.now() / dayMs) - Date.parse(found) / dayMs;
  if (days < 0 || days > recentDays) return found;
  return days === 0 ? "[today]" : `[today - ${days}]`;
}

/** Replaces each id by a name, and what else differs from run to run by a word. */
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

/** A row without an id has a key of several columns, which come first. */
const keyOf = (row: Row) => String(row.id ?? json(Object.values(row).slice(0, 3)));

/** Returns every inserted, deleted or changed row, each as one string. */
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
