/**
 * Reads the sources of triggers and views (src/db/triggers/, src/contract/events/). A statement may stand for
 * several: the comment above it then lists what its {{placeholders}} are, `-- each table, row: events, an event |
 * payments, a payment`.
 */
export interface Statement {
  kind: "TRIGGER" | "VIEW";
  name: string;
  /** On one physical line, without comments, as the database keeps it. */
  text: string;
}

/**
 * What a placeholder stands for; `{{name argument}}` stands for what the function called name makes of its argument.
 */
export type SourceValues = Readonly<Record<string, string | number | ((argument: string) => string)>>;

/** A trigger ends with a line `END;`, a view with the first semicolon; the comment above belongs to it. */
const statementPattern = /((?:^--[^\n]*\n)*)^(CREATE (?:TRIGGER[\s\S]*?^END|VIEW[\s\S]*?));$/gm;

export function readSource(source: string, values: SourceValues): Statement[] {
  const rest = source
    .replace(statementPattern, "")
    .replace(/^--.*$/gm, "")
    .trim();
  if (rest !== "") throw new Error(`neither a trigger nor a view: ${rest.slice(0, 80)}`);
  return [...source.matchAll(statementPattern)].flatMap(([, comment = "", text = ""]) =>
    rowsOf(comment).map((row) => statementOf(onOneLine(fill(text, { ...values, ...row })))),
  );
}

/** The rows of an `each` comment; one without placeholders of its own where there is none. */
function rowsOf(comment: string): SourceValues[] {
  const [, names, rows] = /^each ([\w, ]+):(.*)$/ms.exec(comment.replace(/^-- */gm, "")) ?? [];
  if (names === undefined || rows === undefined) return [{}];
  const keys = names.split(",").map((name) => name.trim());
  return rows.split("|").map((row) => {
    const cells = row.split(",").map((cell) => cell.trim().replace(/\s+/g, " "));
    if (cells.length !== keys.length) throw new Error(`not one value for each of ${names}: ${row.trim()}`);
    return Object.fromEntries(keys.map((key, index) => [key, cells[index] ?? ""]));
  });
}

const fill = (text: string, values: SourceValues): string =>
  text.replace(/\{\{([^} ]*)(?: ([^}]*))?\}\}/g, (_, name: string, argument?: string) => {
    const value = values[name];
    if (value === undefined || (typeof value === "function") !== (argument !== undefined)) {
      throw new Error(`nothing is called {{${name}}}`);
    }
    return typeof value === "function" ? value(argument ?? "") : String(value);
  });

/** Comments and line ends go, literals stay. */
const onOneLine = (text: string): string =>
  text.replace(/'(?:[^']|'')*'|(?:--[^\n]*|\s)+/g, (part) => (part.startsWith("'") ? part : " "));

/** The name and kind of a CREATE statement as a source or the database has it. */
export function statementOf(text: string): Statement {
  const [, kind, name] = /^CREATE (TRIGGER|VIEW) (\w+) /.exec(text) ?? [];
  if (name === undefined) throw new Error(`not a trigger or a view: ${text.slice(0, 80)}`);
  return { kind: kind as Statement["kind"], name, text };
}
