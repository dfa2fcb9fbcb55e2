import { randomBytes } from "node:crypto";
import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { events, webhookDeliveries } from "../../src/core/events/tables.ts";
import { insertSelect } from "../../src/db/build.ts";
import { encrypt } from "../../src/platform/encryption.ts";
import { webhookAttempts } from "../../src/webhooks/deliveries/tables.ts";
import { webhookEndpoints as endpoints } from "../../src/webhooks/endpoints/tables.ts";
import type { EndpointDocument } from "./document.ts";
import { change, type Draft } from "./rows.ts";

interface Answers {
  status: "delivered" | "dead";
  response_status: number;
  response_body: string;
  error_class: string | null;
}
const arrived: Answers = {
  status: "delivered",
  response_status: 200,
  response_body: '{"ok":true}',
  error_class: null,
};
const refused: Answers = {
  status: "dead",
  response_status: 410,
  response_body: "The board has moved",
  error_class: "client_error",
};

/** Adds an endpoint with its deliveries from the last 30 days. Their events must already be written. */
export async function addEndpoint(draft: Draft, id: string, document: EndpointDocument): Promise<void> {
  const { url, description, events: wanted, at, refusesSince } = document;
  const { organizationId: organization_id, ownerId, webhookSecretKey } = draft;
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const isMeant = and(
    eq(events.organization_id, organization_id),
    wanted && sql`(${events.event} IN ${wanted} OR ${events.category} IN ${wanted})`,
    sql`${events.created_at} > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-30 days')`,
  );
  const isRefused = refusesSince === undefined ? sql`false` : gte(events.created_at, refusesSince);
  const inARow = sql<number>`(SELECT count(*) FROM ${events} WHERE ${and(isMeant, isRefused)})`;
  const values = {
    id,
    organization_id,
    url,
    description,
    events: wanted ?? null,
    secret_encrypted: await encrypt(webhookSecretKey, id, secret),
    created_by: ownerId,
    consecutive_dead: inARow,
    consecutive_failures: inARow,
    created_at: at,
    updated_at: at,
  };
  change(draft, at, insertSelect(endpoints, values, sql``));
  const before = refusesSince === undefined ? undefined : lt(events.created_at, refusesSince);
  addDeliveries(draft, id, arrived, and(isMeant, before));
  if (refusesSince !== undefined) addDeliveries(draft, id, refused, and(isMeant, isRefused));
}

/** The duration of an attempt, derived from its event's number so that the durations vary. */
const latency = sql`60 + (${events.sequence} * 37) % 140`;

function addDeliveries(draft: Draft, endpoint_id: string, answers: Answers, which: SQL | undefined): void {
  const { status, response_status, response_body, error_class } = answers;
  const settled = sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${events.created_at}, '+1 seconds')`;
  const delivery = {
    organization_id: sql`${events.organization_id}`,
    endpoint_id,
    event_id: sql`${events.id}`,
    event: sql`${events.event}`,
    status,
    attempts: 1,
    settled_at: settled,
    failed_at: status === "dead" ? settled : null,
    created_at: sql`${events.created_at}`,
  };
  const attempt = {
    organization_id: sql`${webhookDeliveries.organization_id}`,
    delivery_id: sql`${webhookDeliveries.id}`,
    attempt_number: 1,
    attempted_at: sql`${webhookDeliveries.settled_at}`,
    response_status,
    latency_ms: latency,
    error_class,
    response_body,
  };
  const isMade = and(eq(webhookDeliveries.endpoint_id, endpoint_id), eq(webhookDeliveries.status, status));
  const queries = [
    insertSelect(webhookDeliveries, delivery, sql`FROM ${events} WHERE ${which}`),
    insertSelect(
      webhookAttempts,
      attempt,
      sql`FROM ${webhookDeliveries} JOIN ${events} ON ${eq(events.id, webhookDeliveries.event_id)} WHERE ${isMade}`,
    ),
  ];
  for (const query of queries) change(draft, "", query);
}
