import type * as z from "zod";
import { type AdminRefusal, deny } from "../contract/admin-refusals.ts";
import type { Refusal } from "../contract/failures.ts";
import type { AdminContext } from "../domain/audited-change.ts";
import type { RegistrationServices } from "../domain/webhooks/create-endpoint.ts";

/** What operations may use beside their input; the composition root makes it from the bindings. */
export interface AdminServices {
  db: D1Database;
  applicationUrl: string;
  /** Wakes the webhook deliveries of an organization that have become due. */
  wakeWebhooks(organizationId: string): Promise<void>;
  /** Judges the addresses of webhook endpoints and seals their secrets. */
  webhooks: RegistrationServices;
}

export interface PlatformContext {
  services: AdminServices;
}

/** What an operation knows: the services, the workspace it works on and the admin who acts. */
export interface OperationContext extends PlatformContext, AdminContext {}

/** The object it made or changed, or a list, newest first; or why not. */
type Result = object | Refusal | AdminRefusal;

interface Described {
  /** For the list of operations. */
  summary: string;
  /** Its fields; values arrive as text from the command line (fields.ts reads them). */
  input: z.ZodObject;
  /** What leaves is parsed by it. */
  answer: z.ZodType;
  /** Left out of the list of operations: its input is a document. */
  unlisted?: boolean;
}

/** An operation inside one workspace; only its owners and admins may run it. */
export interface WorkspaceOperation extends Described {
  kind: "workspace";
  /** Completes `Only organization admins can …`. */
  action: string;
  needsApiAccess?: boolean;
  /** Whether it may have moved something that webhooks tell of. */
  wakesWebhooks?: boolean;
  run(context: OperationContext, input: unknown): Promise<Result>;
}

/** An operation outside every workspace; whoever holds the platform's keys may run it. */
export interface PlatformOperation extends Described {
  kind: "platform";
  run(context: PlatformContext, input: unknown): Promise<Result>;
}

export type Operation = WorkspaceOperation | PlatformOperation;

/** Operations by the name that the command line gives them. */
export type Operations = Readonly<Record<string, Operation>>;

/** Declares an operation; the type of its input flows from the schema. */
export const operation = <I extends z.ZodObject>(
  declared: Omit<WorkspaceOperation, "kind" | "input" | "run"> & {
    input: I;
    run(context: OperationContext, input: z.output<I>): Promise<Result>;
  },
): Operation => ({ ...declared, kind: "workspace" }) as unknown as WorkspaceOperation;

export const platformOperation = <I extends z.ZodObject>(
  declared: Omit<PlatformOperation, "kind" | "input" | "run"> & {
    input: I;
    run(context: PlatformContext, input: z.output<I>): Promise<Result>;
  },
): Operation => ({ ...declared, kind: "platform" }) as unknown as PlatformOperation;

/** The refusal of an update that names no field. */
export const nothingToChange = (changes: Record<string, unknown>): AdminRefusal | undefined =>
  Object.values(changes).every((value) => value === undefined)
    ? deny("Nothing to change: give at least one field besides id")
    : undefined;
