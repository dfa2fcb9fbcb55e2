import type { Statement } from "../../src/db/trigger.ts";

/**
 * The statements that turn the current triggers and views into the wanted ones, one per line. SQLite fires the newest
 * trigger first, so a table's fences are always created last: they must skip a row before a guard rejects its change.
 */
export function difference(present: readonly Statement[], wanted: readonly Statement[]): string[] {
  const [before, after] = [textsOf(present), textsOf(wanted)];
  const gone = present.filter(({ text }) => !after.has(text));
  const fresh = wanted.filter(({ text }) => !before.has(text));
  const hasFresh = (fence: Statement) => fresh.some(({ text }) => tableOf(text) === tableOf(fence.text));
  const fences = wanted.filter((statement) => isFence(statement) && hasFresh(statement));
  const dropped = [...gone, ...fences.filter(({ text }) => before.has(text))];
  const others = fresh.filter((statement) => !isFence(statement));
  return [
    ...dropped.map(({ kind, name }) => `DROP ${kind} IF EXISTS ${name};`),
    ...[...ofKind(others, "VIEW"), ...ofKind(others, "TRIGGER"), ...fences].map(created),
  ];
}

const isFence = ({ name }: Statement) => /_fenced_(?:update|delete)$/.test(name);

const tableOf = (text: string) => / ON (\w+) /.exec(text)?.[1];

const textsOf = (statements: readonly Statement[]) => new Set(statements.map(({ text }) => text));

const ofKind = (statements: readonly Statement[], kind: Statement["kind"]) =>
  statements.filter((statement) => statement.kind === kind);

const created = ({ kind, text }: Statement) =>
  `${text.replace(`CREATE ${kind} `, `CREATE ${kind} IF NOT EXISTS `)};`;

/** Parses a CREATE statement as stored by the database. */
export function statementOf(text: string): Statement {
  const [, kind, name] = /^CREATE (TRIGGER|VIEW) (\w+) /.exec(text) ?? [];
  if (name === undefined) throw new Error(`not a trigger or a view: ${text.slice(0, 80)}`);
  return { kind: kind as Statement["kind"], name, text };
}
