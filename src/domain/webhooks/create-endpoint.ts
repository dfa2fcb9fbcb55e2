import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type AdminRefusal, deny } from "../../contract/admin-refusals.ts";
import { eventCategories } from "../../contract/closed-sets.ts";
import { eventNames } from "../../contract/events.ts";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import type { WebhookEndpointWithSecret } from "../../contract/workspace/webhooks.ts";
import { insertSelect, statement } from "../../db/build.ts";
import type { Line } from "../../db/ledger.ts";
import { batch, runLast } from "../../db/query.ts";
import { webhookEndpoints as table } from "../../db/schema/webhooks.ts";
import { decrypt, encrypt } from "../../platform/encryption.ts";
import { type AdminContext, audited, doneByForm } from "../audited-change.ts";
import { checkTarget, type TargetOptions, type TargetRefusal } from "./public-address.ts";
import { findEndpoint, sealedSecret } from "./read-endpoints.ts";
import { newSigningSecret } from "./sign.ts";

/** What registering an endpoint needs beside the database. */
export interface RegistrationServices {
  target: TargetOptions;
  secretKey: string;
}

interface NewEndpoint {
  url: string;
  /** Names and categories; none: all events, future ones too. */
  events?: readonly string[];
  description?: string;
}

/** Raw SQL: the count guards the insert. */
function withRoom(organizationId: string): SQL {
  const own = and(eq(table.organization_id, organizationId), isNull(table.deleted_at));
  return sql`WHERE (SELECT count(*) FROM ${table} WHERE ${own}) < ${webhookLimits.endpoints}`;
}

/** Registers an endpoint. The secret is in the answer and, encrypted, in the database. */
export async function createEndpoint(
  context: AdminContext,
  { target, secretKey }: RegistrationServices,
  { url, events = [], description }: NewEndpoint,
): Promise<WebhookEndpointWithSecret | AdminRefusal> {
  const unknown = events.find((name) => !subscribable.has(name));
  if (unknown !== undefined)
    return deny(`Unknown event: ${unknown}`, `one of ${[...subscribable].join(", ")}`);
  const verdict = await checkTarget(url, target);
  if (!verdict.ok) return refusedTarget(verdict.reason);
  const id = crypto.randomUUID();
  const organization_id = context.organization.id;
  const secret = newSigningSecret();
  const values = {
    id,
    organization_id,
    // As the parser reads it: line breaks are gone, and what steers or turns a text is percent-encoded.
    url: verdict.url,
    description,
    events: events.length > 0 ? [...new Set(events)] : null,
    secret_encrypted: await encrypt(secretKey, id, secret),
    created_by: context.actor.id,
  };
  const action = "webhook_endpoint.created";
  const endpoint = await runLast(context.db, [
    statement(insertSelect(table, values, withRoom(organization_id))),
    audited(context, action, id, { url: verdict.url, events: values.events }),
    ...doneByForm(context, { action, subjectId: id }),
    findEndpoint(organization_id, id),
  ]);
  if (!endpoint) {
    return deny(`A workspace has at most ${webhookLimits.endpoints} webhook endpoints`, "delete one first");
  }
  return { ...endpoint, secret };
}

/** The endpoint that a form made or rotated, for its second press, with the secret that signs now. */
export async function endpointOfForm(
  { db, organization }: AdminContext,
  secretKey: string,
  { subjectId }: Line,
): Promise<WebhookEndpointWithSecret | null> {
  const [endpoint, sealed] = await batch(db, [
    findEndpoint(organization.id, subjectId),
    sealedSecret(organization.id, subjectId),
  ]);
  if (!endpoint || !sealed || endpoint.deleted_at !== null) return null;
  return { ...endpoint, secret: await decrypt(secretKey, subjectId, sealed.secret_encrypted) };
}

const subscribable: ReadonlySet<string> = new Set([...eventCategories, ...eventNames]);

function refusedTarget(reason: TargetRefusal): AdminRefusal {
  switch (reason) {
    case "invalid_url":
    case "not_https":
      return deny("Webhook endpoint must be an https URL");
    case "credentials_in_url":
      return deny("Webhook endpoint must be an https URL", "without a user name or password in it");
    case "blocked_port":
      return deny("Webhook endpoint must be an https URL", "on a port that serves https");
    case "not_public":
      return deny("Webhook endpoint must resolve to a public address");
    case "unresolved":
      return deny("Webhook endpoint must resolve to a public address", "its host name could not be resolved");
    default:
      return reason satisfies never;
  }
}
