import * as z from "zod";
import { isInvisible, isOneLine, isPrintable } from "../../contract/characters.ts";
import { clientFeedbackKinds } from "../../contract/closed-sets.ts";
import { characterCount } from "../../contract/fields.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import type { Given } from "./forms.tsx";

/** Builds the schema for text from a form. Browsers send every value as a string, with CR LF line breaks. */
const typed = (label: string, max: number, isName = false) =>
  z
    .string()
    .default("")
    .transform((text) =>
      text
        .replaceAll("\r\n", "\n")
        .replaceAll("\t", isName ? " " : "\t")
        .trim(),
    )
    .superRefine((text, issue) => {
      if (isInvisible(text)) issue.addIssue(`${label} is missing`);
      else if (characterCount(text) > max) issue.addIssue(`${label} must have at most ${max} characters`);
      else if (!isPrintable(text)) issue.addIssue(`${label} must have no control characters`);
      else if (isName && !isOneLine(text))
        issue.addIssue(`${label} must be one line without invisible characters: type it, do not paste it`);
    });

/** `{change requests seen}.{random}`, so that a form submitted twice does its work once. */
const formId = z
  .string({ error: "form_id is missing: open the page again" })
  .regex(/^[\w.-]{8,100}$/, { error: "form_id is not from this page: open the page again" });

const version = z.coerce
  .number({ error: "version_number is missing: open the page again" })
  .int()
  .min(1, { error: "version_number is missing: open the page again" });

/** Builds the schema for a number from 0 to `max`, which becomes a fraction of `max`; undefined if empty. */
const share = (label: string, max: number) =>
  z
    .string()
    .default("")
    .transform((text) => text.trim().replace(",", "."))
    .refine((text) => text === "" || (/^\d{1,3}(\.\d+)?$/.test(text) && Number(text) <= max), {
      error: `${label} must be a number from 0 to ${max}`,
    })
    .transform((text) => (text === "" ? undefined : Number(text) / max));

/** The spot is in percent (`across`, `down`) or in the API's format (`anchor_x`, `anchor_y`). */
export const FeedbackForm = z
  .object({
    form_id: formId,
    version_number: version,
    kind: z.enum(clientFeedbackKinds, { error: "kind must be comment or change_request" }),
    author_name: typed("Your name", reviewLimits.nameCharacters, true),
    body: typed("Comment", reviewLimits.bodyCharacters),
    across: share("Across (%)", 100),
    down: share("Down (%)", 100),
    anchor_x: share("anchor_x", 1),
    anchor_y: share("anchor_y", 1),
  })
  .transform(({ across, down, anchor_x, anchor_y, ...said }, issue) => {
    const [x, y] = [anchor_x ?? across, anchor_y ?? down];
    if ((x === undefined) === (y === undefined))
      return { ...said, anchor: x === undefined || y === undefined ? undefined : { x, y } };
    const [missing, label] = x === undefined ? ["across", "Across (%)"] : ["down", "Down (%)"];
    issue.addIssue({ code: "custom", path: [missing], message: `${label} is missing: a spot needs both` });
    return z.NEVER;
  });

export const ReplyForm = z.object({ form_id: formId, reply: typed("Reply", reviewLimits.bodyCharacters) });

export const SignOffForm = z.object({
  form_id: formId,
  version_number: version,
  signer_name: typed("Full name", reviewLimits.nameCharacters, true),
  consent: z.literal("on", { error: "Tick the box to agree" }),
});

/** The form has no inputs. Without a form id, each request sends a separate e-mail. */
export const AskForCodeForm = z.object({ form_id: formId.optional().catch(undefined) });

/** Mail clients and people insert spaces and hyphens into codes. */
export const CodeForm = z.object({
  form_id: formId.optional(),
  code: z
    .string()
    .default("")
    .transform((text) => text.replaceAll(/[\s-]/g, ""))
    .refine((text) => new RegExp(`^\\d{${reviewLimits.codeDigits}}$`).test(text), {
      error: `Enter a code with ${reviewLimits.codeDigits} digits`,
    }),
});

/** Parses a form into its values, or into errors by field name. If a field is repeated, its last value wins. */
export function readForm<T>(
  schema: z.ZodType<T>,
  form: FormData,
): { data: T; errors: null } | { errors: Given["errors"] } {
  const fields = Object.fromEntries([...form].filter(([, value]) => typeof value === "string"));
  const result = schema.safeParse(fields);
  if (result.success) return { data: result.data, errors: null };
  const errors: Record<string, string> = {};
  for (const { path, message } of result.error.issues) errors[String(path[0])] ??= message;
  return { errors };
}

/** Returns a form's values, so that the form can be filled in again. */
export function valuesOf(form: FormData): Given["values"] {
  const shown = ["author_name", "body", "across", "down", "reply", "signer_name", "consent"];
  return Object.fromEntries(
    shown.flatMap((name) => {
      const value = form.get(name);
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}
