/** Lists the operations, from the schemas that validate their fields. */
import * as z from "zod";
import { idInput } from "../../src/contract/fields.ts";
import { refuse } from "../../src/contract/refusal.ts";
import { type AdminOperation, acceptsKey } from "../../src/operations/operation.ts";

export interface Refused {
  message: string;
  hint: string | null;
}

const usage = `npm run admin -- OPERATION --field value … [--json] [--env production|staging]

--organization  the workspace's slug or id (local default: demo)
--actor         the e-mail address of the admin who acts (default: the owner)
--key           makes a change safe to repeat with the same key (at most 200 characters) and fields
--json          prints only the result as JSON, or {"message","hint"} if the operation is refused
--env           production or staging (default: the local service started by npm start)

Fields in brackets are optional. Lists are comma-separated. npm run -s hides npm's own output.
`;

/** The output of `--help` for one operation or all, or an error if the operation does not exist. */
export async function help(operation: string | undefined): Promise<string | Refused> {
  const { operations } = await import("../../src/operations/operations.ts");
  const wanted = Object.entries(operations).filter(([name]) => operation === undefined || name === operation);
  if (operation !== undefined && wanted.length === 0) {
    const { text: message, hint } = refuse("operation_unknown", {
      operation,
      operations: Object.keys(operations),
    });
    return { message, hint };
  }
  const lines = wanted.map(([name, declared]) =>
    `${name} ${parametersOf(declared)}`.trimEnd().concat(`\n    ${declared.summary}`),
  );
  return `${usage}\n${lines.join("\n")}\n`;
}

export async function writesFiles(operation: string): Promise<boolean> {
  const { operations } = await import("../../src/operations/operations.ts");
  return operations[operation]?.writesFiles ?? false;
}

/** Whether an operation runs in steps. Each step starts at the `position` that the previous one returned as `next`. */
export async function hasSteps(operation: string): Promise<boolean> {
  const { operations } = await import("../../src/operations/operations.ts");
  return operations[operation]?.input.shape.position !== undefined;
}

/** The fields as written on the command line. Fields that only the command itself sends are left out. */
export function parametersOf(operation: AdminOperation): string {
  const { input, writesFiles } = operation;
  const fields = Object.entries(input.shape)
    .filter(([name]) => !["position", "text", "base64"].includes(name))
    .map(([name, schema]) => {
      const field = `--${name.replaceAll("_", "-")} ${valuesOf(schema as z.ZodType)}`;
      return (schema as z.ZodType).safeParse(undefined).success ? `[${field}]` : field;
    });
  const ofAll = [
    ...(writesFiles ? ["--out FOLDER"] : []),
    ...(acceptsKey(operation) ? ["[--key TEXT]"] : []),
  ];
  return [...fields, ...ofAll].join(" ");
}

interface Shape {
  type?: string;
  format?: string;
  enum?: string[];
  const?: string;
  anyOf?: Shape[];
}

function valuesOf(schema: z.ZodType): string {
  if ((schema instanceof z.ZodOptional ? schema.unwrap() : schema) === idInput) return "ID";
  const { anyOf, ...own } = z.toJSONSchema(schema, { unrepresentable: "any", io: "output" }) as Shape;
  const constant = anyOf?.find((option) => option.const !== undefined)?.const;
  return constant === undefined ? wordOf(anyOf?.[0] ?? own) : `${wordOf(anyOf?.[0] ?? own)}|${constant}`;
}

function wordOf(shape: Shape): string {
  if (shape.enum) return shape.enum.join("|");
  if (shape.type === "boolean") return "true|false";
  if (shape.type === "array") return "A,B,…";
  if (shape.type === "integer" || shape.type === "number") return "NUMBER";
  return shape.format === "date" ? "2026-01-31" : "TEXT";
}
