import { and, asc, eq, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import type { Client } from "../../contract/resources/client.ts";
import { organizationOfToken } from "../../db/organization.ts";
import { findById, type Row } from "../../db/query.ts";
import { clients } from "../../db/schema/work.ts";
import { pageOf, prepared, select } from "../../db/select.ts";
import { recalled } from "../recall.ts";

/** The columns a client's answer is made of. */
const clientColumns = {
  id: clients.id,
  name: clients.name,
  company_name: clients.company_name,
  client_name: clients.client_name,
  email: clients.email,
  status: clients.status,
  is_sample: clients.is_sample,
  external_id: clients.external_id,
  created_at: clients.created_at,
  updated_at: clients.updated_at,
};

export const toClient = (row: Row): Client => ({ ...(row as Client), is_sample: row.is_sample === 1 });

export const pageOfClients = pageOf(clients, clientColumns, toClient);

/** Active clients by name, as the legacy list shows them (specification 4.1). */
export const activeClientsByName = prepared(
  () =>
    select
      .select({ id: clients.id, name: clients.name })
      .from(clients)
      .where(and(eq(clients.organization_id, organizationOfToken), eq(clients.status, "active")))
      .orderBy(sql`coalesce(client_name, company_name)`, asc(clients.id))
      .limit(limits.legacyClientListRecords),
  (rows) => rows as { id: string; name: string }[],
);

export const findClient = findById("clients", toClient);

export const recallClient = (organizationId: string, id: string) =>
  recalled("SELECT * FROM clients WHERE id = ? AND organization_id = ?", [id, organizationId], toClient);
