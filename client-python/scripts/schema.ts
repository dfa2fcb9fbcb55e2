/** The subset of JSON Schema and OpenAPI that the document uses. */
export interface Schema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export interface Parameter {
  $ref?: string;
  in: string;
  name: string;
  description?: string;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema> };
}

export const jsonOf = (content: Content | undefined): Schema | undefined =>
  content?.content?.["application/json"]?.schema;

export const nameOf = ({ $ref = "" }: Schema): string => $ref.split("/").at(-1) ?? "";

/** Converts `change_order.sent` to `ChangeOrderSent`, and `By hours` to `ByHours`. */
export const pascal = (text: string): string =>
  text.replaceAll(/(?:^|[^A-Za-z0-9])+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Converts `listTimeEntries` to `list_time_entries`, and `Time entries` to `time_entries`. */
export const snake = (text: string): string =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/\W+/g, "_")
    .toLowerCase();

const keywords = new Set([
  "and",
  "as",
  "class",
  "def",
  "del",
  "for",
  "from",
  "global",
  "if",
  "in",
  "is",
  "not",
  "or",
]);

/** Appends an underscore to a field's name if it is a Python keyword. */
export const identifier = (name: string): string => (keywords.has(name) ? `${name}_` : name);

const longestLine = 100;

/** Writes a call on one line if it fits, otherwise with one argument per line, as Python formatters do. */
export function called(head: string, values: readonly string[], tail: string, indent: string): string {
  const line = `${indent}${head}${values.join(", ")}${tail}`;
  if (line.length <= longestLine) return line;
  return `${indent}${head}\n${values.map((value) => `${indent}    ${value},\n`).join("")}${indent}${tail}`;
}

/** Writes an indented docstring with wrapped paragraphs. */
export function docstring(text: string, indent: string): string {
  const lines = text.split("\n").flatMap((line) => wrapped(line, longestLine - indent.length));
  const [first = "", ...rest] = lines.map((line) =>
    line.replaceAll("\\", "\\\\").replaceAll(/"(?=""|$)/g, '\\"'),
  );
  const more = rest.map((line) => `\n${line === "" ? "" : indent}${line}`).join("");
  return `${indent}"""${first}${more}${rest.length > 0 ? `\n${indent}` : ""}"""\n`;
}

/** Wraps a text between words. */
export function wrapped(line: string, width: number): string[] {
  const lines = [""];
  for (const word of line.split(" ")) {
    const last = lines.at(-1) as string;
    if (last !== "" && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}
