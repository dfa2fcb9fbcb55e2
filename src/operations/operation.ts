import * as z from "zod";
import { describeIssue } from "../contract/describe-issue.ts";
import { problemsIn } from "../contract/problems.ts";
import { Refusal, refuse } from "../contract/refusal.ts";
import type { Staff } from "../core/actor.ts";
import type { Context } from "../core/context.ts";
import type { LedgerEntry } from "../core/ledger/ledger.ts";
import type { ServiceRequest } from "../core/ledger/service-ledger.ts";
import type { Services } from "../core/services.ts";
import { type Query, run } from "../db/query.ts";
import { type Fields, fromText } from "./from-text.ts";

/** The context for an operation outside any workspace, where there is no acting member. */
interface PlatformCall extends Pick<Context, "services"> {
  /** The user name on the operator's machine; null for a signed-in admin. */
  operator: string | null;
  /** Identifies the call in the service's ledger if the operation's own batch writes the entry. */
  request: ServiceRequest | undefined;
}

export type WorkspaceCall = Context<Staff, keyof Services, "name" | "slug" | "link_prefix" | "plan">;

/** The part of a declaration that doesn't depend on the fields. */
interface OperationDeclaration<C> {
  /** Shown in the list of operations. */
  summary: string;
  /** Parses the result: the object that was created or changed, or a list, newest first. */
  answer: z.ZodType<object>;
  /** Set if the operation changes nothing. Such an operation also runs while the service is read-only. */
  reads?: true;
  /** Whether each step returns part of a file. The command line writes the files to the `--out` folder. */
  writesFiles?: boolean;
  /**
   * Returns the result for a repeated call, read from the records that the first call's entry names. Declared by
   * operations that change something and write the entry in their own batch.
   */
  again?(context: C, entry: LedgerEntry): Promise<object | null>;
  /** Set if the operation changes something and is safe to run again. Its entry is written after the work. */
  isSafeToRetry?: true;
  /** The result's field that contains a secret. The entry keeps it, encrypted, for a limited time. */
  secret?: string;
}

/**
 * Who can run an operation. `operator`: only callers with the platform's keys, from the command line. `admin`: also
 * signed-in owners and admins in their own workspace, through RPC and the pages.
 */
type Allowed = "operator" | "admin";

interface WorkspaceDeclaration extends OperationDeclaration<WorkspaceCall> {
  /** Completes `Only organization admins can …`. */
  action: string;
  needsApiAccess?: boolean;
  /** Set if the operation also runs in a workspace closed by a move. */
  worksWhileMoving?: true;
  /** Set if the operation deletes the workspace together with its ledger. The entry goes into the service's ledger. */
  endsWorkspace?: true;
}

/** An operation's input schema, and the work once the input is valid. */
interface OperationBody<C, I extends z.ZodObject> {
  input: I;
  run(context: C, input: z.output<I>): Promise<object | Refusal>;
  /**
   * Declared if all steps count as one call. Returns the values that identify the call. The entry is looked up before
   * the first step and written after the last.
   */
  callIdentity?(input: z.output<I>): unknown;
}

/** An operation with validated fields. */
interface Prepared<C> {
  /** Runs the operation and parses its result with the `answer` schema. */
  run(context: C): Promise<object | Refusal>;
  /** Calls with the same key count as one call if their identities are equal. */
  identity: unknown;
  /** `next` from the previous step. */
  position: string | undefined;
}

/** An operation whose fields are not validated yet. */
interface Runnable<C> {
  input: z.ZodObject;
  isSingleCall: boolean;
  prepare(fields: Fields): Prepared<C> | Refusal;
}

/** An operation inside one workspace. Only the workspace's owners and admins can run it. */
export interface WorkspaceOperation extends WorkspaceDeclaration, Runnable<WorkspaceCall> {
  kind: "workspace";
  allowed: Allowed;
}

/** An operation outside any workspace. */
export interface PlatformOperation extends OperationDeclaration<PlatformCall>, Runnable<PlatformCall> {
  kind: "platform";
  allowed: Allowed;
}

export type AdminOperation = WorkspaceOperation | PlatformOperation;

/** Operations by their command-line names. */
export type AdminOperations = Readonly<Record<string, AdminOperation>>;

/** Whether an operation changes something and therefore accepts a key. */
export const acceptsKey = ({ again, isSafeToRetry }: AdminOperation): boolean =>
  again !== undefined || isSafeToRetry === true;

/** Declares an operation inside a workspace. The schema types its input. Admins can run it by default. */
export const workspaceOperation = <I extends z.ZodObject>(
  declared: WorkspaceDeclaration & OperationBody<WorkspaceCall, I> & { allowed?: Allowed },
): WorkspaceOperation => ({ allowed: "admin", ...declared, kind: "workspace", ...prepared(declared) });

/** Declares an operation outside any workspace. Only operators can run it by default. */
export const platformOperation = <I extends z.ZodObject>(
  declared: OperationDeclaration<PlatformCall> & OperationBody<PlatformCall, I> & { allowed?: Allowed },
): PlatformOperation => ({ allowed: "operator", ...declared, kind: "platform", ...prepared(declared) });

const prepared = <C, I extends z.ZodObject>({
  input,
  answer,
  run,
  callIdentity,
}: OperationBody<C, I> & Pick<OperationDeclaration<C>, "answer">) => ({
  isSingleCall: callIdentity !== undefined,
  prepare(fields: Fields): Prepared<C> | Refusal {
    const given = validateFields(input, fields);
    if (given instanceof Refusal) return given;
    const { position } = given as { position?: string };
    return {
      identity: callIdentity ? callIdentity(given) : given,
      position,
      run: async (context) => {
        const result = await run(context, given);
        return result instanceof Refusal ? result : answer.parse(result);
      },
    };
  },
});

/** Implements `again` by reading the record that the entry names. */
export const bySubject =
  <R extends object>(find: (organizationId: string, id: string) => Query<R | null>) =>
  ({ services, organization }: WorkspaceCall, { subjectId }: LedgerEntry): Promise<R | null> =>
    run(services.db, find(organization.id, subjectId));

/** Implements `again` for results that only the entry has, because the operation's batch writes them there. */
export const answerFromEntry = async (): Promise<null> => null;

/** Removes null values of optional fields, unless null clears the field. */
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
  return refuse("validation", {
    error: issue?.message ?? "The fields are not valid",
    hint,
    problems: problemsIn(parsed.error, input),
  });
}
