import * as z from "zod";
import { describeIssue } from "../contract/describe-issue.ts";
import { invalid, Refusal } from "../contract/refusal.ts";
import type { Staff } from "../workspace/actor.ts";
import type { Context } from "../workspace/context.ts";
import type { LedgerLine } from "../workspace/requests/ledger.ts";
import type { Services } from "../workspace/services.ts";
import { type Fields, fromText } from "./from-text.ts";

/** What an operation outside every workspace knows: nobody acts for a member there. */
interface PlatformCall extends Pick<Context, "services"> {
  /** The caller with the platform's keys, as their machine names them; null: an admin who signed in. */
  operator: string | null;
}

/** What every operation declares, whatever its fields are. */
interface Described {
  /** For the list of operations. */
  summary: string;
  /** Parses the answer: the object that the operation made or changed, or a list, newest first. */
  answer: z.ZodType<object>;
  /** Whether it changes nothing, so that it also runs while the service is read-only. */
  reads?: true;
  /** Whether each step answers with a part of a file, which the command line writes into the folder of `--out`. */
  writesFiles?: boolean;
}

/**
 * Who may run it. `operator`: callers who hold the platform's keys, only through the command line. `admin`: these, and
 * signed-in owners and admins, through RPC and the pages, in their own workspace.
 */
type Allowed = "operator" | "admin";

interface OfWorkspace extends Described {
  /** Completes `Only organization admins can …`. */
  action: string;
  needsApiAccess?: boolean;
  /** Its answer for a form that did the work before, by the form's line in the ledger; null: it is not shown again. */
  again?(context: Context<Staff, keyof Services, "name" | "slug">, line: LedgerLine): Promise<object | null>;
}

/** Its fields, and what it does once they are valid. */
interface Doing<C, I extends z.ZodObject> {
  input: I;
  run(context: C, input: z.output<I>): Promise<object | Refusal>;
}

/** An operation whose `run` validates its fields and parses its answer. */
interface Runnable<C> {
  input: z.ZodObject;
  run(context: C, fields: Fields): Promise<object | Refusal>;
}

/** An operation inside one workspace; only its owners and admins may run it. */
export interface WorkspaceOperation
  extends OfWorkspace,
    Runnable<Context<Staff, keyof Services, "name" | "slug">> {
  kind: "workspace";
  allowed: Allowed;
}

/** An operation outside every workspace; callers who hold the platform's keys may run it. */
interface PlatformOperation extends Described, Runnable<PlatformCall> {
  kind: "platform";
  allowed: Allowed;
}

export type AdminOperation = WorkspaceOperation | PlatformOperation;

/** Operations by the name that the command line gives them. */
export type AdminOperations = Readonly<Record<string, AdminOperation>>;

/** Declares an operation; the type of its input flows from the schema. Admins may run it, unless it says otherwise. */
export const workspaceOperation = <I extends z.ZodObject>(
  declared: OfWorkspace & Doing<Context<Staff, keyof Services, "name" | "slug">, I> & { allowed?: Allowed },
): WorkspaceOperation => ({ allowed: "admin", ...declared, kind: "workspace", run: runWith(declared) });

/** The same outside every workspace: for the operator, unless it says otherwise. */
export const platformOperation = <I extends z.ZodObject>(
  declared: Described & Doing<PlatformCall, I> & { allowed?: Allowed },
): PlatformOperation => ({ allowed: "operator", ...declared, kind: "platform", run: runWith(declared) });

const runWith =
  <C, I extends z.ZodObject>({ input, answer, run }: Doing<C, I> & Pick<Described, "answer">) =>
  async (context: C, fields: Fields): Promise<object | Refusal> => {
    const given = validateFields(input, fields);
    if (given instanceof Refusal) return given;
    const result = await run(context, given);
    return result instanceof Refusal ? result : answer.parse(result);
  };

/** A null of a field that may be left out counts as absent, unless null clears it. */
const withoutNulls = ({ shape }: z.ZodObject, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => {
      const schema = value === null ? shape[name] : undefined;
      const mayBeAbsent = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
      return !mayBeAbsent || schema.unwrap() instanceof z.ZodNullable;
    }),
  );

function validateFields<I extends z.ZodObject>(input: I, fields: Fields): z.output<I> | Refusal {
  const parsed = input.safeParse(fromText(input, withoutNulls(input, fields)), { error: describeIssue });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  const known = Object.keys(input.shape).join(", ");
  const hint = issue?.code === "unrecognized_keys" ? `fields: ${known || "none"}` : undefined;
  return invalid(issue?.message ?? "The fields are not valid", hint);
}
