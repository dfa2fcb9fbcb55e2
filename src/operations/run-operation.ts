import { oneLine } from "../contract/characters.ts";
import { asSlugOrId } from "../contract/fields.ts";
import { limits } from "../contract/limits.ts";
import { Refusal, refuse } from "../contract/refusal.ts";
import { SchemaBehind } from "../db/missing-migration.ts";
import { notingChanges } from "../db/noting-changes.ts";
import { batch } from "../db/query.ts";
import { report } from "../platform/log.ts";
import { failureOf } from "../platform/unavailable.ts";
import type { Staff } from "../workspace/actor.ts";
import type { Context } from "../workspace/context.ts";
import { sendKeptFacts } from "../workspace/kept-facts/send-kept-facts.ts";
import { findMember, isAdmin } from "../workspace/members/members.ts";
import { findOrganization } from "../workspace/organizations/organization.ts";
import { type LedgerLine, ledgerKeys, type RequestIdentity } from "../workspace/requests/ledger.ts";
import { once } from "../workspace/requests/once.ts";
import type { Services } from "../workspace/services.ts";
import type { Fields } from "./from-text.ts";
import type { WorkspaceOperation } from "./operation.ts";
import { operations } from "./operations.ts";
import { refusedByDatabase } from "./refused-by-database.ts";

/** One call of an operation, from the Admin entrypoint or another caller. */
interface OperationCall {
  name: string;
  fields: Fields;
  /** Slug or id; an operation outside every workspace needs none. */
  organization: unknown;
  /** The e-mail address of the admin who acts, authenticated by the caller; undefined: the workspace's owner. */
  actor: unknown;
  /** Whether the caller holds the platform's keys; such a caller sees what belongs to no workspace yet. */
  isOperator?: boolean;
  /** That caller, as their machine names them. The audit log shows the name; nothing else relies on it. */
  operator?: unknown;
  /** SHA-256 of the filled form that was sent, and the id of the request that brought it. */
  form?: { fingerprint: string; requestId: string } | undefined;
}

/**
 * Runs one operation (contract O4) and answers its result or why it is refused; it never throws. `background` keeps the
 * invocation alive for work that nobody waits for.
 */
export async function runOperation(
  { name, fields, organization, actor, form, isOperator = false, operator: asserted }: OperationCall,
  services: Services,
  background: (work: Promise<unknown>) => void,
): Promise<object | Refusal> {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation)
    return refuse("operation_unknown", { operation: name, operations: Object.keys(operations) });
  if (!isOperator && operation.allowed === "operator") return refuse("operator_only", { operation: name });
  try {
    const operator = isOperator ? asText(asserted) : null;
    if (operation.kind === "platform") return await operation.run({ services, operator }, fields);
    const { db, hasChangedRows } = notingChanges(services.db);
    const noting = { ...services, db };
    const context = await contextOf({ operation, organization, email: actor, operator, form }, noting);
    if (context instanceof Refusal) return context;
    const result = await once(
      context,
      () => operation.run(context, fields),
      (line) => answerAgain(operation, context, line),
    );
    if (hasChangedRows()) {
      background(services.enqueueDueDeliveries(context.organization.id));
      const unsent = (error: unknown) => report({ failed: "keep facts", operation: name }, error);
      background(sendKeptFacts(services, context.organization.id).catch(unsent));
    }
    return result;
  } catch (error) {
    const refusal = refusedByDatabase(error);
    if (refusal) return refusal;
    report({ operation: name }, error);
    if (isOperator && error instanceof SchemaBehind && error.migration !== null)
      return refuse("database_behind", { migration: error.migration });
    return failureOf(error);
  }
}

const identityOf = (
  { fingerprint, requestId }: NonNullable<OperationCall["form"]>,
  organizationId: string,
  actor: string,
): RequestIdentity => ({
  organizationId,
  key: ledgerKeys.settingsForm(fingerprint),
  fingerprint,
  requestId,
  actor,
});

async function answerAgain(
  operation: WorkspaceOperation,
  context: Context<Staff, keyof Services, "name" | "slug">,
  line: LedgerLine,
): Promise<object | Refusal> {
  const isRecent = Date.now() - Date.parse(line.createdAt) <= limits.pressedAgainSeconds * 1000;
  const answer = isRecent ? await operation.again?.(context, line) : null;
  return answer ?? refuse("form_sent_before");
}

/** A hint only for operators, because a session can only name its own workspaces. */
const whichThereAre = { hint: "list-organizations names them all" };

interface AskedFor extends Pick<OperationCall, "form"> {
  operation: WorkspaceOperation;
  organization: unknown;
  email: unknown;
  operator: string | null;
}

/** The workspace and the admin; refused if there is no such workspace, no such admin, or the plan has no API access. */
async function contextOf(
  { operation, organization: named, email, operator, form }: AskedFor,
  services: Services,
): Promise<Context<Staff, keyof Services, "name" | "slug"> | Refusal> {
  if (typeof named !== "string" || named === "") return refuse("organization_missing", whichThereAre);
  const idOrSlug = asSlugOrId(named);
  const isAddress = email === undefined || (typeof email === "string" && email !== "");
  const [organization, member] = await batch(services.db, [
    findOrganization(idOrSlug),
    findMember(idOrSlug, isAddress ? email : ""),
  ]);
  if (!organization) return refuse("organization_not_found", { organization: idOrSlug, ...whichThereAre });
  if (!isAddress) return refuse("actor_not_an_address");
  if (!member || !isAdmin(member)) return refuse("admins_only", { action: operation.action });
  if (operation.needsApiAccess && !organization.api_access) return refuse("api_access_required");
  const actor: Staff =
    operator === null ? { ...member, kind: "admin" } : { ...member, kind: "operator", operator };
  const request = form && identityOf(form, organization.id, actor.id);
  return { services, organization, actor, request };
}

const operatorCharacters = 200;

/** One line of what a machine says of its user. */
const asText = (asserted: unknown): string =>
  typeof asserted === "string" && asserted !== ""
    ? oneLine(asserted).slice(0, operatorCharacters)
    : "unknown";
