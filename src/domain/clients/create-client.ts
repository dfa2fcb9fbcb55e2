import type { Client, NewClient } from "../../contract/resources/client.ts";
import type { Query } from "../../db/query.ts";
import type { Authorship } from "../authorship.ts";
import { toClient } from "./read-clients.ts";

const insertSql = `
INSERT INTO clients (id, organization_id, company_name, client_name, email, external_id, is_sample, request_fingerprint)
VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`;

/** Writes a client. */
export const createClient = (
  { id, organizationId, fingerprint }: Authorship,
  { company_name, client_name, email, external_id }: NewClient,
  isSample = false,
): Query<Client> => ({
  sql: insertSql,
  params: [
    id,
    organizationId,
    company_name ?? null,
    client_name ?? null,
    email ?? null,
    external_id ?? null,
    isSample ? 1 : 0,
    fingerprint,
  ],
  read: ([row]) => toClient(row ?? {}),
});
