import type { Statement } from "../../src/db/trigger.ts";

/** The statements that turn the migrations' triggers and views into those of the sources, each on one line. */
export function difference(present: readonly Statement[], wanted: readonly Statement[]): string[] {
  const [before, after] = [textsOf(present), textsOf(wanted)];
  const gone = present.filter(({ text }) => !after.has(text));
  const fresh = wanted.filter(({ text }) => !before.has(text));
  return [
    ...gone.map(({ kind, name }) => `DROP ${kind} IF EXISTS ${name};`),
    ...[...ofKind(fresh, "VIEW"), ...ofKind(fresh, "TRIGGER")].map(created),
  ];
}

const textsOf = (statements: readonly Statement[]) => new Set(statements.map(({ text }) => text));

const ofKind = (statements: readonly Statement[], kind: Statement["kind"]) =>
  statements.filter((statement) => statement.kind === kind);

const created = ({ kind, text }: Statement) =>
  `${text.replace(`CREATE ${kind} `, `CREATE ${kind} IF NOT EXISTS `)};`;

/** The name and kind of a CREATE statement as the database stores it. */
export function statementOf(text: string): Statement {
  const [, kind, name] = /^CREATE (TRIGGER|VIEW) (\w+) /.exec(text) ?? [];
  if (name === undefined) throw new Error(`not a trigger or a view: ${text.slice(0, 80)}`);
  return { kind: kind as Statement["kind"], name, text };
}
