import { fill, momentOf } from "./bulk.ts";
import type { Database } from "./database.ts";
import { workspace } from "./seed.ts";

/** Seeds a million recent deliveries, for the scenario that searches a large log. */

export const seededDeliveries = 1_000_000;
export const endpoints = 10;
const eventsOfSubject = 5;
const { organizationId, ownerId } = workspace;
/** These times are so recent that the deliveries are not purged. */
const firstSeconds = Math.floor(Date.now() / 1000) - 12 * 86_400;

const endpointSql = "printf('00000000-0000-4000-8000-0000000001%02x', i % 10)";
export const endpointId = (n: number): string =>
  `00000000-0000-4000-8000-0000000001${String(n).padStart(2, "0")}`;
/** Its deliveries are pending; those of the previous endpoint are dead. */
export const waitingEndpoint = endpointId(9);
export const deadEndpoint = endpointId(8);

export const subjectId = (n: number): string => `subject-${n}`;

/** Also deletes the events and deliveries of earlier scenarios. */
export async function seedDeliveries(database: Database): Promise<void> {
  for (const table of ["webhook_attempts", "webhook_deliveries", "events"])
    await database.run(`DELETE FROM ${table}`);
  await fill(
    database,
    {
      table: "webhook_endpoints",
      insert: `INSERT INTO webhook_endpoints (id, organization_id, url, secret_encrypted, created_by)
        SELECT ${endpointSql}, ?, 'https://example.com/', '', ? FROM n`,
      from: 0,
      to: endpoints - 1,
    },
    organizationId,
    ownerId,
  );
  await fill(
    database,
    {
      table: "events",
      insert: `INSERT INTO events (id, organization_id, event, category, subject_id, payload, created_at)
        SELECT 'event-' || i, ?, iif(i % 1000, 'invoice.paid', 'signoff.recorded'), iif(i % 1000, 'money', 'delivery'),
          'subject-' || (i / ${eventsOfSubject}), '{}', ${momentOf(firstSeconds)} FROM n`,
      from: 0,
      to: seededDeliveries / endpoints - 1,
    },
    organizationId,
  );
  const status = "iif(i % 10 = 9, 'pending', iif(i % 10 = 8, 'dead', 'delivered'))";
  await fill(
    database,
    {
      table: "webhook_deliveries",
      insert: `INSERT INTO webhook_deliveries
          (id, organization_id, endpoint_id, event_id, event, status, attempts, settled_at, created_at)
        SELECT printf('%08x-0000-7000-8000-000000000000', i), ?, ${endpointSql}, 'event-' || (i / ${endpoints}),
          iif(i / ${endpoints} % 1000, 'invoice.paid', 'signoff.recorded'), ${status}, 1,
          iif(i % 10 = 9, NULL, ${momentOf(firstSeconds)}), ${momentOf(firstSeconds)} FROM n`,
      from: 0,
      to: seededDeliveries - 1,
    },
    organizationId,
  );
}
