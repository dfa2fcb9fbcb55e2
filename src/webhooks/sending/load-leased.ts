import { and, eq, gt, sql } from "drizzle-orm";
import type { LeasedId } from "../../contract/messages.ts";
import { sendingLimits } from "../../contract/webhook-limits.ts";
import { webhookDeliveries as deliveries, events } from "../../core/events/tables.ts";
import { build, type Placeholders, prepared, type RowOf, rows } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { notFenced } from "../../db/fencing.ts";
import { jsonFields } from "../../db/json-fields.ts";
import { notQuiet } from "../../db/moving.ts";
import type { Query } from "../../db/query.ts";
import { webhookEndpoints as endpoints } from "../endpoints/tables.ts";
import { testEvent } from "../test-event.ts";

const selection = {
  id: deliveries.id,
  lease: sql<string>`${deliveries.next_attempt_at}`.as("lease"),
  event: deliveries.event,
  event_id: deliveries.event_id,
  is_test: sql<number>`${events.event} = ${testEvent}`.as("is_test"),
  /** Attempts so far. */
  attempts: deliveries.attempts,
  /** The request body, byte for byte. */
  payload: events.payload,
  organization_id: deliveries.organization_id,
  created_at: deliveries.created_at,
  endpoint_id: deliveries.endpoint_id,
  url: endpoints.url,
  secret_encrypted: endpoints.secret_encrypted,
  /** Null except during a rotation's overlap. */
  previous_secret_encrypted: sql<string | null>`iif(${endpoints.previous_secret_expires_at} > ${now},
    ${endpoints.previous_secret_encrypted}, NULL)`.as("previous_secret_encrypted"),
  /** Null if the endpoint has no custom headers. */
  headers_encrypted: endpoints.headers_encrypted,
  consecutive_failures: endpoints.consecutive_failures,
};

/** A leased delivery with everything that an attempt needs. */
export type LeasedDelivery = RowOf<typeof selection>;

/** Cross joins make SQLite read the tables in this order. */
const loading = prepared((bind: Placeholders<{ leased: string }>) => {
  const { id, lease } = jsonFields("wanted", "id", "lease");
  const leaseLasts = gt(deliveries.next_attempt_at, nowWith(`+${sendingLimits.leaseLeftSeconds} seconds`));
  const isLeased = and(eq(deliveries.status, "pending"), eq(deliveries.next_attempt_at, lease), leaseLasts);
  const joined = and(eq(events.id, deliveries.event_id), eq(endpoints.id, deliveries.endpoint_id));
  const from = build.select(selection).from(sql`json_each(${bind.leased}) AS wanted`);
  const crossed = from.crossJoin(deliveries).crossJoin(events).crossJoin(endpoints);
  return rows(
    selection,
    crossed.where(
      and(
        eq(deliveries.id, id),
        joined,
        isLeased,
        notFenced(deliveries.organization_id),
        notQuiet(deliveries.organization_id),
      ),
    ),
  );
});

/**
 * Loads the enqueued deliveries that still have their lease. Leaves out settled and held deliveries (next_attempt_at is
 * NULL), leases that are about to end, and workspaces that are fenced or quiet during a move. A delivery that is in the
 * queue twice is returned once.
 */
export const loadLeased = (leased: readonly LeasedId[]): Query<LeasedDelivery[]> => {
  const wanted = leased.map(({ id, lease }) => JSON.stringify({ id, lease }));
  return loading({ leased: `[${[...new Set(wanted)]}]` });
};
