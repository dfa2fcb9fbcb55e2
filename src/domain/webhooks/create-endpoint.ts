import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type AdminRefusal, deny } from "../../contract/admin-refusals.ts";
import { eventCategories } from "../../contract/closed-sets.ts";
import { eventNames } from "../../contract/events.ts";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import type { WebhookEndpointWithSecret } from "../../contract/workspace/webhooks.ts";
import { insertSelect, statement } from "../../db/build.ts";
import { batch } from "../../db/query.ts";
import { webhookEndpoints as table } from "../../db/schema/webhooks.ts";
import { decrypt, encrypt } from "../../platform/encryption.ts";
import { type AdminContext, audited } from "../audited-change.ts";
import { newId, sentBefore } from "../made-by-form.ts";
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
  const id = newId(context);
  const organization_id = context.organization.id;
  const values = {
    id,
    organization_id,
    url,
    description,
    events: events.length > 0 ? [...new Set(events)] : null,
    secret_encrypted: await encrypt(secretKey, id, newSigningSecret()),
    created_by: context.actor.id,
  };
  const [, , endpoint, sealed] = await batch(context.db, [
    statement(sql`${insertSelect(table, values, withRoom(organization_id))} ON CONFLICT (id) DO NOTHING`),
    audited(context, "webhook_endpoint.created", id, { url, events: values.events }),
    findEndpoint(organization_id, id),
    sealedSecret(organization_id, id),
  ]);
  if (!endpoint || !sealed) {
    return deny(`A workspace has at most ${webhookLimits.endpoints} webhook endpoints`, "delete one first");
  }
  const secret = await decrypt(secretKey, id, sealed.secret_encrypted);
  return sentBefore(endpoint.created_at, endpoint.deleted_at) ?? { ...endpoint, secret };
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
