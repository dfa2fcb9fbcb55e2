import type { Context } from "hono";
import * as z from "zod";
import { Refusal } from "../../contract/refusal.ts";
import type { Fields } from "../../operations/from-text.ts";
import { refuseFields, runOperation } from "../../operations/run-operation.ts";
import { sha256Hex } from "../../platform/digest.ts";
import type { OpenWorkspace, Session } from "../../workspace/sessions/find-session.ts";
import type { PageApp } from "../page-app.ts";

export interface SettingsPageApp extends PageApp {
  Variables: PageApp["Variables"] & {
    session: Session;
    workspace: OpenWorkspace;
    /**
     * Whether a webhook endpoint is failing. The query runs while the page is built and is awaited when the page is
     * shown.
     */
    failing?: Promise<boolean>;
    isFailing?: boolean;
  };
}
export type C = Context<SettingsPageApp>;

/** Returns `/settings/{slug}`, the prefix of all of the workspace's settings pages. */
export const baseOf = (c: C): string => `/settings/${c.get("workspace").slug}`;

/** Returns the path of the section that the page belongs to, such as `/settings/{slug}/tokens`. */
export const sectionPath = (c: C): string => {
  const [, , , section] = c.req.path.split("/");
  return section === undefined ? baseOf(c) : `${baseOf(c)}/${section}`;
};

/** The id of a form whose work must be done only once (core/ledger/ledger.ts). */
const FormId = z.guid();

/** Runs an operation as the signed-in member. `answer` is the schema of its result. */
export async function operate<S extends z.ZodType>(
  c: C,
  name: string,
  answer: S,
  fields: Fields = {},
): Promise<z.output<S> | Refusal> {
  const { id, email } = c.get("workspace");
  const { form_id, ...rest } = fields;
  // Includes the fields, so that a form changed after going back counts as a different form.
  const form = FormId.safeParse(form_id).success
    ? sha256Hex(JSON.stringify([name, form_id, rest]))
    : undefined;
  const call = { name, fields: rest, organization: id, actor: email, form, requestId: c.get("requestId") };
  const result = await runOperation(call, c.get("services"), (work) => c.executionCtx.waitUntil(work));
  return result instanceof Refusal ? result : answer.parse(result);
}

/** Validates a form's fields without running the operation. */
export const refuseForm = (operation: string, { form_id: _, ...fields }: Fields): Refusal | undefined =>
  refuseFields(operation, fields);

/** Reads a form into an operation's fields. Empty fields are absent, and the fields in `lists` become lists. */
export async function fieldsOf(c: C, lists: readonly string[] = []): Promise<Record<string, unknown>> {
  const form = await c.req.formData().catch(() => new FormData());
  const given = [...new Set(form.keys())].map((name) => {
    const values = form.getAll(name).filter((value) => typeof value === "string" && value.trim() !== "");
    return [name, values.length > 0 && lists.includes(name) ? values : values.at(-1)] as const;
  });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

export const textField = (fields: Record<string, unknown>, name: string): string | undefined =>
  typeof fields[name] === "string" ? fields[name] : undefined;
