import { sql } from "drizzle-orm";
import { hasReplacedBytes, toOneLine } from "../contract/characters.ts";
import { asSlugOrId, characterCount } from "../contract/fields.ts";
import { limits } from "../contract/limits.ts";
import { Refusal, refuse } from "../contract/refusal.ts";
import type { Staff } from "../core/actor.ts";
import { findEntry, type LedgerEntry, ledgerKeys, type RequestIdentity } from "../core/ledger/ledger.ts";
import type { ServiceRequest } from "../core/ledger/service-ledger.ts";
import type { Services } from "../core/services.ts";
import { sendSurvivingFacts } from "../core/surviving-facts/send-surviving-facts.ts";
import type { Fence } from "../db/fencing.ts";
import { OutdatedSchema } from "../db/missing-migration.ts";
import { batch, noQuery } from "../db/query.ts";
import { trackChanges } from "../db/track-changes.ts";
import { sha256Hex } from "../platform/digest.ts";
import { report } from "../platform/log.ts";
import { failureOf } from "../platform/unavailable.ts";
import { publish, publishSafely } from "../workspace/directory/publish.ts";
import { findMember, isAdmin } from "../workspace/members/members.ts";
import { byIdOrSlug, findOrganization } from "../workspace/organizations/organization.ts";
import { organizations } from "../workspace/organizations/tables.ts";
import type { Fields } from "./from-text.ts";
import {
  type AdminOperation,
  acceptsKey,
  type PlatformOperation,
  type WorkspaceCall,
  type WorkspaceOperation,
} from "./operation.ts";
import { operations } from "./operations.ts";
import { refusedByDatabase } from "./refused-by-database.ts";
import { type KeyedCall, runOnce, serviceLedger, workspaceLedger } from "./run-once.ts";

interface OperationCall {
  name: string;
  fields: Fields;
  /** Slug or id. Not needed for an operation outside any workspace. */
  organization: unknown;
  /** The acting admin's e-mail address, authenticated by the caller; undefined for the workspace's owner. */
  actor: unknown;
  /** Whether the caller has the platform's keys and can run every operation. */
  isOperator?: boolean;
  /** The user name on the operator's machine. It is unverified, and only shown in the audit log. */
  operator?: unknown;
  /** SHA-256 of the submitted form. */
  form?: string | undefined;
  /** Repeated calls with the same key and fields do the work only once (contract O19). */
  key?: unknown;
  /** The id of the request that made the call. */
  requestId: string;
}

/**
 * Runs one operation (contract O4) and returns its result or refusal; never throws. `background` gets work that may
 * continue after the response.
 */
export async function runOperation(
  call: OperationCall,
  services: Services,
  background: (work: Promise<unknown>) => void,
): Promise<object | Refusal> {
  const { name, isOperator = false } = call;
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation)
    return refuse("operation_unknown", { operation: name, operations: Object.keys(operations) });
  if (!isOperator && operation.allowed === "operator") return refuse("operator_only", { operation: name });
  const wrongKey = refuseKey(call, operation);
  if (wrongKey) return wrongKey;
  try {
    return operation.kind === "platform"
      ? await runOfPlatform(operation, call, services)
      : await runOfWorkspace(operation, call, services, background);
  } catch (error) {
    const refusal = refusedByDatabase(error);
    if (refusal) return refusal;
    report({ operation: name }, error);
    if (isOperator && error instanceof OutdatedSchema && error.migration !== null)
      return refuse("database_behind", { migration: error.migration });
    return failureOf(error);
  }
}

/** Validates an operation's fields without running it. */
export function refuseFields(name: keyof typeof operations, fields: Fields): Refusal | undefined {
  const prepared = operations[name]?.prepare(fields);
  return prepared instanceof Refusal ? prepared : undefined;
}

function refuseKey({ name, key }: OperationCall, operation: AdminOperation): Refusal | undefined {
  if (key === undefined) return undefined;
  if (!acceptsKey(operation)) return refuse("key_not_taken", { operation: name });
  const text = typeof key === "string" ? key : "";
  if (text === "" || characterCount(text) > limits.idempotencyKeyCharacters) return refuse("key_wrong");
  return hasReplacedBytes(text) ? refuse("key_not_text") : undefined;
}

const operatorOf = ({ isOperator = false, operator }: OperationCall): string | null =>
  isOperator ? asText(operator) : null;

/** Returns what identifies the call in its ledger. Undefined if the call has no key or form, or changes nothing. */
function requestOf(
  { name, key, form, requestId, organization }: OperationCall,
  operation: AdminOperation,
  { identity, position }: { identity: unknown; position: string | undefined },
): ServiceRequest | undefined {
  if (form !== undefined && acceptsKey(operation))
    return { key: ledgerKeys.settingsForm(form), fingerprint: form, requestId };
  if (typeof key !== "string") return undefined;
  const parts = [name, identity, ...(isOfService(operation) ? [organization] : [])];
  return {
    key: ledgerKeys.operation(key, operation.isSingleCall ? undefined : position),
    fingerprint: sha256Hex(JSON.stringify(parts, replaceImages)),
    requestId,
  };
}

/** Replaces an image with its digest. */
const replaceImages = (_: string, value: unknown) => (value instanceof Uint8Array ? sha256Hex(value) : value);

/** Whether the entry goes into the service's ledger and not the workspace's. */
const isOfService = (operation: AdminOperation): boolean =>
  operation.kind === "platform" || operation.endsWorkspace === true;

/** Whether the operation's own batch writes the entry: yes, unless the operation is safe to retry. */
const inBatchOf = <R>({ isSafeToRetry }: AdminOperation, request: R | undefined): R | undefined =>
  isSafeToRetry ? undefined : request;

const partsOf = (operation: AdminOperation, { form }: OperationCall, services: Services) => ({
  operation,
  services,
  isForm: form !== undefined,
  isSingleCall: operation.isSingleCall,
});

async function runOfPlatform(
  operation: PlatformOperation,
  call: OperationCall,
  services: Services,
): Promise<object | Refusal> {
  const prepared = operation.prepare(call.fields);
  if (prepared instanceof Refusal) return prepared;
  const request = requestOf(call, operation, prepared);
  const context = { services, operator: operatorOf(call), request: inBatchOf(operation, request) };
  const work = async () => {
    const done = await prepared.run(context);
    if (!operation.reads) await publishSafely(services);
    return done;
  };
  if (!request) return work();
  const keyed: KeyedCall = {
    ...partsOf(operation, call, services),
    request,
    ledger: serviceLedger(services.db, request),
    // Later steps do not look up the entry, because it is written after the last step.
    earlier: operation.isSingleCall && prepared.position !== undefined ? null : undefined,
    actor: "",
    again: async (entry) => (await operation.again?.(context, entry)) ?? null,
  };
  return runOnce(keyed, work);
}

async function runOfWorkspace(
  operation: WorkspaceOperation,
  call: OperationCall,
  services: Services,
  background: (work: Promise<unknown>) => void,
): Promise<object | Refusal> {
  const { name, fields } = call;
  const { db, hasChangedRows } = trackChanges(services.db);
  const prepared = operation.prepare(fields);
  const request = prepared instanceof Refusal ? undefined : requestOf(call, operation, prepared);
  const found = await contextOf({ operation, call, request }, { ...services, db });
  if (found instanceof Refusal) return request && operation.endsWorkspace ? repeatEnd(found, request) : found;
  if (prepared instanceof Refusal) return prepared;
  const { identity, entry } = found;
  const context = { ...found.context, request: inBatchOf(operation, identity) };
  const work = async () => {
    const done = await prepared.run(context);
    // The directory must have a new token before it is shown, so that the first request with it reaches this cell.
    if (operation.secret !== undefined) await publish(services, context.organization.id);
    return done;
  };
  const result = await (identity
    ? runOnce(
        {
          ...partsOf(operation, call, services),
          request: identity,
          ledger: operation.endsWorkspace
            ? serviceLedger(services.db, identity)
            : workspaceLedger(services.db, identity, name),
          earlier: entry,
          actor: identity.actor,
          again: async (earlier) => (await operation.again?.(context, earlier)) ?? null,
        },
        work,
      )
    : work());
  if (hasChangedRows()) {
    await publishSafely(services, context.organization.id);
    background(services.enqueueDueDeliveries(context.organization.id));
    const unsent = (error: unknown) => report({ failed: "keep facts", operation: name }, error);
    background(sendSurvivingFacts(services, context.organization.id).catch(unsent));
  }
  return result;

  /** Returns the earlier result from the service's ledger, because the workspace no longer exists. */
  function repeatEnd(refusal: Refusal, ended: ServiceRequest): Promise<object | Refusal> {
    const ledger = serviceLedger(services.db, ended);
    const unknownCaller = { earlier: undefined, actor: "", again: async () => null };
    return runOnce(
      { ...partsOf(operation, call, services), request: ended, ledger, ...unknownCaller },
      async () => refusal,
    );
  }
}

/** Only operators get this hint, because a session can only name its own workspaces. */
const organizationsHint = { hint: "list-organizations names them all" };

interface AskedFor {
  operation: WorkspaceOperation;
  call: OperationCall;
  request: ServiceRequest | undefined;
}

interface Found {
  context: WorkspaceCall;
  identity: RequestIdentity | undefined;
  /** The entry from an earlier call with the same key; null if there is none, undefined if it was not looked up. */
  entry: LedgerEntry | null | undefined;
}

/**
 * Loads the workspace and the acting admin. Refuses if either is missing, or if the workspace does not allow the
 * operation.
 */
async function contextOf(
  { operation, call, request }: AskedFor,
  services: Services,
): Promise<Found | Refusal> {
  const { organization: named, actor: email } = call;
  if (typeof named !== "string" || named === "") return refuse("organization_missing", organizationsHint);
  const idOrSlug = asSlugOrId(named);
  const isAddress = email === undefined || (typeof email === "string" && email !== "");
  const isInService = operation.endsWorkspace === true;
  const [organization, member, entry] = await batch(services.db, [
    findOrganization(idOrSlug),
    findMember(idOrSlug, isAddress ? email : ""),
    request && !isInService ? findEntry(idOf(idOrSlug), request.key) : noQuery,
  ]);
  if (!organization)
    return refuse("organization_not_found", { organization: idOrSlug, ...organizationsHint });
  if (!isAddress) return refuse("actor_not_an_address");
  if (!member || !isAdmin(member)) return refuse("admins_only", { action: operation.action });
  if (isClosedTo(operation, organization)) return refuse("organization_is_moving");
  if (operation.needsApiAccess && !organization.api_access) return refuse("api_access_required");
  const operator = operatorOf(call);
  const actor: Staff =
    operator === null ? { ...member, kind: "admin" } : { ...member, kind: "operator", operator };
  const identity = request && { ...request, organizationId: organization.id, actor: actor.id };
  const context = { services, organization, actor, request: undefined };
  return { context, identity, entry: isInService ? undefined : entry };
}

/**
 * Whether the workspace is closed to an operation. With an unfinished import, it can only be erased. During a move,
 * most operations can only read.
 */
const isClosedTo = (
  { reads, endsWorkspace, worksWhileMoving }: WorkspaceOperation,
  { fence }: { fence: Fence },
): boolean => {
  if (worksWhileMoving) return false;
  return fence === "all" ? !endsWorkspace : fence === "changes" && !reads;
};

const idOf = (idOrSlug: string) =>
  sql`(SELECT ${organizations.id} FROM ${organizations} WHERE ${byIdOrSlug(idOrSlug)})`;

const operatorCharacters = 200;

/** Shortens an unverified user name to one short line. */
const asText = (asserted: unknown): string =>
  typeof asserted === "string" && asserted !== ""
    ? toOneLine(asserted).slice(0, operatorCharacters)
    : "unknown";
