import { eq, type SQL, sql } from "drizzle-orm";
import { records } from "../../db/records.ts";
import { columnsOf } from "../../db/trigger.ts";
import { connections } from "../connections/tables.ts";
import { members } from "../members/tables.ts";
import { ApiToken } from "./record.ts";
import { apiTokens } from "./tables.ts";

export const { find: findToken } = records(apiTokens, ApiToken, {});

const creator = sql<string>`(SELECT coalesce(${members.name}, ${members.email}) FROM ${members}
  WHERE ${members.id} = ${apiTokens.created_by})`.as("creator");

const connection = columnsOf(connections);
const token = columnsOf(apiTokens);

/** Reads a column from the connection, which has the same id as the token. */
const ofConnection = (column: SQL, name: string) =>
  sql<string | null>`(SELECT ${column} FROM ${connections}
    WHERE ${connection.id} = ${token.id} AND ${connection.organization_id} = ${token.organization_id})`.as(
    name,
  );

const listed = records(apiTokens, ApiToken, {
  creator,
  connected_app: ofConnection(connection.app, "connected_app"),
  webhook_endpoint_id: ofConnection(connection.endpoint_id, "webhook_endpoint_id"),
});

interface TokenFilter {
  id?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Reads a page of a workspace's tokens, newest first, or only the token with the given id. */
export const listTokens = (db: D1Database, organizationId: string, { id, ...page }: TokenFilter) =>
  listed.page(db, organizationId, {
    ...page,
    where: id === undefined ? undefined : eq(apiTokens.id, id),
    kind: "an API token",
  });
