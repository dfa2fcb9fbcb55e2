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

/** The context of an operation outside any workspace, which acts for no member. */
interface PlatformCall extends Pick<Context, "services"> {
  /** The user name, on their machine, of the caller with the platform's keys; null for a signed-in admin. */
  operator: string | null;
  /** A call with a key, as the service's ledger identifies it. */
  request: ServiceRequest | undefined;
}

export type WorkspaceCall = Context<Staff, keyof Services, "name" | "slug" | "link_prefix">;

/** What every operation declares, whatever its fields. */
interface Described<C> {
  /** For the list of operations. */
  summary: string;
  /** Parses the result: the object that the operation created or changed, or a list, newest first. */
  answer: z.ZodType<object>;
  /** Whether the operation changes nothing, so that it also runs while the service is read-only. */
  reads?: true;
  /** Whether each step returns a part of a file, which the command line writes to the `--out` folder. */
  writesFiles?: boolean;
  /**
   * For an operation that changes something: the result of a repeated call whose work is done, read from the
   * records named in that work's entry. The operation's own batch writes the entry.
   */
  again?(context: C, entry: LedgerEntry): Promise<object | null>;
  /** The operation changes something and is safe to run again; its entry is written after the work. */
  isSafeToRetry?: true;
  /** The field of the result that holds a secret, which the entry keeps encrypted for a while. */
  secret?: string;
}

/**
 * Who may run it. `operator`: callers who hold the platform's keys, on the command line only. `admin`: also
 * signed-in owners and admins, through RPC and the pages, in their own workspace.
 */
type Allowed = "operator" | "admin";

interface OfWorkspace extends Described<WorkspaceCall> {
  /** Completes `Only organization admins can …`. */
  action: string;
  needsApiAccess?: boolean;
  /** The entry goes into the service's ledger, because the work deletes the workspace's. */
  endsWorkspace?: true;
}

/** The operation's fields, and what it does once they are valid. */
interface Doing<C, I extends z.ZodObject> {
  input: I;
  run(context: C, input: z.output<I>): Promise<object | Refusal>;
  /**
   * For an operation whose steps count as one call: what distinguishes such calls. The entry is written after
   * the last step and looked up before the first.
   */
  isOneCall?(input: z.output<I>): unknown;
}

/** The validated fields of an operation. */
interface Prepared<C> {
  /** Parses the result of `run`. */
  run(context: C): Promise<object | Refusal>;
  /** What identifies calls with one key as the same call. */
  identity: unknown;
  /** `next` of the previous step. */
  position: string | undefined;
}

/** An operation whose fields are not validated yet. */
interface Runnable<C> {
  input: z.ZodObject;
  isOneCall: boolean;
  prepare(fields: Fields): Prepared<C> | Refusal;
}

/** An operation inside one workspace; only its owners and admins may run it. */
export interface WorkspaceOperation extends OfWorkspace, Runnable<WorkspaceCall> {
  kind: "workspace";
  allowed: Allowed;
}

/** An operation outside any workspace; callers who hold the platform's keys may run it. */
export interface PlatformOperation extends Described<PlatformCall>, Runnable<PlatformCall> {
  kind: "platform";
  allowed: Allowed;
}

export type AdminOperation = WorkspaceOperation | PlatformOperation;

/** Operations by their command-line names. */
export type AdminOperations = Readonly<Record<string, AdminOperation>>;

/** Whether an operation changes something, and therefore takes a key. */
export const takesKey = ({ again, isSafeToRetry }: AdminOperation): boolean =>
  again !== undefined || isSafeToRetry === true;

/**
 * Declares an operation; the type of its input follows from the schema. Admins may run it, unless declared
 * otherwise.
 */
export const workspaceOperation = <I extends z.ZodObject>(
  declared: OfWorkspace & Doing<WorkspaceCall, I> & { allowed?: Allowed },
): WorkspaceOperation => ({ allowed: "admin", ...declared, kind: "workspace", ...prepared(declared) });

/** The same outside any workspace; only the operator may run it, unless declared otherwise. */
export const platformOperation = <I extends z.ZodObject>(
  declared: Described<PlatformCall> & Doing<PlatformCall, I> & { allowed?: Allowed },
): PlatformOperation => ({ allowed: "operator", ...declared, kind: "platform", ...prepared(declared) });

const prepared = <C, I extends z.ZodObject>({
  input,
  answer,
  run,
  isOneCall,
}: Doing<C, I> & Pick<Described<C>, "answer">) => ({
  isOneCall: isOneCall !== undefined,
  prepare(fields: Fields): Prepared<C> | Refusal {
    const given = validateFields(input, fields);
    if (given instanceof Refusal) return given;
    const { position } = given as { position?: string };
    return {
      identity: isOneCall ? isOneCall(given) : given,
      position,
      run: async (context) => {
        const result = await run(context, given);
        return result instanceof Refusal ? result : answer.parse(result);
      },
    };
  },
});

/** Reads a result again by the id in its entry. */
export const bySubject =
  <R extends object>(find: (organizationId: string, id: string) => Query<R | null>) =>
  ({ services, organization }: WorkspaceCall, { subjectId }: LedgerEntry): Promise<R | null> =>
    run(services.db, find(organization.id, subjectId));

/** A result that no record holds; the work's batch writes it into the entry. */
export const answerInEntry = async (): Promise<null> => null;

/** Null counts as absent for an optional field, unless null clears the field. */
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
