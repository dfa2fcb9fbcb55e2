import { and, eq, isNull, ne, not, type SQL, sql } from "drizzle-orm";
import { eventCategories } from "../../contract/closed-sets.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import type { Staff } from "../../core/actor.ts";
import { changeEntries } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import type { LedgerEntry } from "../../core/ledger/ledger.ts";
import { build, insertSelect, rows, statement } from "../../db/build.ts";
import { isIn } from "../../db/is-in.ts";
import { batch, mapped, type Query, run, runLast } from "../../db/query.ts";
import { decrypt, encrypt } from "../../platform/encryption.ts";
import { eventNames } from "../events.ts";
import { checkTarget, hostOf, type TargetRefusal } from "../sending/public-address.ts";
import { newSigningSecret } from "../sending/sign.ts";
import { type EndpointHeaders, encryptHeaders } from "./headers.ts";
import { findEncryptedSecret, findEndpoint } from "./read-endpoints.ts";
import type { WebhookEndpointWithSecret } from "./record.ts";
import { webhookEndpoints as table } from "./tables.ts";

interface NewEndpoint {
  url: string;
  /** Event names and categories; empty for all events, including future ones. */
  events?: readonly string[];
  description?: string | undefined;
  headers?: EndpointHeaders;
}

const ownEndpoints = (organizationId: string) =>
  and(eq(table.organization_id, organizationId), isNull(table.deleted_at));

/** Reads the addresses of a workspace's endpoints, which `hasRoomOnHost` compares. */
export const addressesOf = (organizationId: string): Query<string[]> => {
  const urls = build.select({ url: table.url }).from(table).where(ownEndpoints(organizationId));
  return mapped(rows({ url: table.url }, urls), (found) => found.map(({ url }) => url));
};

/**
 * Whether the host of `url` has room for one more endpoint, on any scheme, port and path. Addresses are stored as sent,
 * so hosts are compared here. The SQL counts every endpoint that is not known to have another host, so that one of two
 * concurrent requests for the last slot is refused. `without` is an endpoint that moves to the host.
 */
export function hasRoomOnHost(
  organizationId: string,
  url: string,
  known: readonly string[],
  without = "",
): SQL {
  const host = hostIn(url);
  const elsewhere = known.filter((each) => hostIn(each) !== host);
  const where = and(ownEndpoints(organizationId), not(isIn(table.url, elsewhere)), ne(table.id, without));
  return sql`(SELECT count(*) FROM ${table} WHERE ${where}) < ${webhookLimits.endpointsOfHost}`;
}

/** Refuses one more endpoint if the workspace or the host of `url` is full, given the `known` addresses. */
export function refuseRoom(url: string, known: readonly string[]): Refusal | undefined {
  if (known.length >= webhookLimits.endpoints) return refuse("too_many_endpoints");
  const atHost = known.filter((each) => hostIn(each) === hostIn(url));
  return atHost.length >= webhookLimits.endpointsOfHost ? refuse("too_many_endpoints_of_host") : undefined;
}

function hostIn(address: string): string | null {
  const url = URL.parse(address);
  return url && hostOf(url);
}

/** Builds the condition for an insert: the workspace and the host of `url` have room for one more endpoint. */
export function hasRoomFor(organizationId: string, url: string, known: readonly string[]): SQL {
  return sql`(SELECT count(*) FROM ${table} WHERE ${ownEndpoints(organizationId)})
      < ${webhookLimits.endpoints}
    AND ${hasRoomOnHost(organizationId, url, known)}`;
}

/** Registers an endpoint and returns its secret, which is stored encrypted. */
export async function createEndpoint(
  context: Context<Staff, "db" | "webhookTargets" | "webhookSecretKey">,
  { url, events = [], description, headers }: NewEndpoint,
): Promise<WebhookEndpointWithSecret | Refusal> {
  const { services } = context;
  const unknown = refuseEvents(events);
  if (unknown) return unknown;
  const verdict = await checkTarget(url, services.webhookTargets);
  if (!verdict.ok) return refusedTarget(verdict.reason);
  const organization_id = context.organization.id;
  const known = await run(services.db, addressesOf(organization_id));
  const { values, secret } = await newEndpoint(context, { url, events, description, headers });
  const { id } = values;
  const endpoint = await runLast(services.db, [
    statement(insertSelect(table, values, sql`WHERE ${hasRoomFor(organization_id, url, known)}`)),
    ...changeEntries(
      context,
      "webhook_endpoint.created",
      id,
      { url, events: values.events, ...(values.headers.length > 0 && { headers: values.headers }) },
      { secret: values.secret_encrypted },
    ),
    findEndpoint(organization_id, id),
  ]);
  if (!endpoint) {
    const present = await run(services.db, addressesOf(organization_id));
    return refuseRoom(url, present) ?? refuse("too_many_endpoints_of_host");
  }
  return { ...endpoint, secret };
}

/** Builds a new endpoint's row, with the secret encrypted. Also returns the secret itself. */
export async function newEndpoint(
  { services, organization, actor }: Context<Staff, "webhookSecretKey">,
  { url, events = [], description, headers = {} }: NewEndpoint,
) {
  const id = crypto.randomUUID();
  const secret = newSigningSecret();
  const values = {
    id,
    organization_id: organization.id,
    url,
    description,
    events: events.length > 0 ? [...new Set(events)] : null,
    secret_encrypted: await encrypt(services.webhookSecretKey, id, secret),
    ...(await encryptHeaders(services.webhookSecretKey, id, headers)),
    created_by: actor.id,
  };
  return { values, secret };
}

/** Returns a ledger entry's endpoint with its current signing secret; null if the endpoint was deleted. */
export async function endpointOfEntry(
  { services, organization }: Context<Staff, "db" | "webhookSecretKey">,
  { subjectId }: LedgerEntry,
): Promise<WebhookEndpointWithSecret | null> {
  const [endpoint, sealed] = await batch(services.db, [
    findEndpoint(organization.id, subjectId),
    findEncryptedSecret(organization.id, subjectId),
  ]);
  if (!endpoint || !sealed || endpoint.deleted_at !== null) return null;
  const secret = await decrypt(services.webhookSecretKey, subjectId, sealed.secret_encrypted);
  return { ...endpoint, secret };
}

/** Refuses a name that is not an event or a category. */
export function refuseEvents(events: readonly string[]): Refusal | undefined {
  const unknown = events.find((name) => !subscribable.has(name));
  return unknown === undefined
    ? undefined
    : refuse("event_name_unknown", { event: unknown, events: [...subscribable] });
}

const subscribable: ReadonlySet<string> = new Set([...eventCategories, ...eventNames]);

export function refusedTarget(reason: TargetRefusal): Refusal {
  switch (reason) {
    case "invalid_url":
    case "not_https":
      return refuse("url_not_https");
    case "credentials_in_url":
      return refuse("url_with_credentials");
    case "blocked_port":
      return refuse("url_on_blocked_port");
    case "not_public":
      return refuse("url_not_public");
    case "unresolved":
      return refuse("url_unresolved");
    default:
      return reason satisfies never;
  }
}
