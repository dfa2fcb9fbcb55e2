import type { Statement } from "./sources.ts";

/** What migrations make of the sources: triggers, views, and the categories of the events by name. */
export interface Made {
  statements: readonly Statement[];
  eventTypes: Readonly<Record<string, string>>;
}

/** The statements that turn what the migrations so far make into what the sources want, each on one physical line. */
export function difference(present: Made, wanted: Made): string[] {
  const { gone, fresh } = compared(present.statements, wanted.statements);
  return [
    ...Object.keys(present.eventTypes)
      .filter((name) => wanted.eventTypes[name] === undefined)
      .map((name) => `DELETE FROM event_types WHERE name = '${name}';`),
    ...Object.entries(wanted.eventTypes)
      .filter(([name, category]) => present.eventTypes[name] !== category)
      .map(
        ([name, category]) =>
          `INSERT OR REPLACE INTO event_types (name, category) VALUES ('${name}', '${category}');`,
      ),
    ...gone.map(({ kind, name }) => `DROP ${kind} IF EXISTS ${name};`),
    ...[...ofKind(fresh, "VIEW"), ...ofKind(fresh, "TRIGGER")].map(created),
  ];
}

function compared(present: readonly Statement[], wanted: readonly Statement[]) {
  const texts = (statements: readonly Statement[]) => new Set(statements.map(({ text }) => text));
  const [before, after] = [texts(present), texts(wanted)];
  return {
    gone: present.filter(({ text }) => !after.has(text)),
    fresh: wanted.filter(({ text }) => !before.has(text)),
  };
}

const ofKind = (statements: readonly Statement[], kind: Statement["kind"]) =>
  statements.filter((statement) => statement.kind === kind);

const created = ({ kind, text }: Statement) =>
  `${text.replace(`CREATE ${kind} `, `CREATE ${kind} IF NOT EXISTS `)};`;
