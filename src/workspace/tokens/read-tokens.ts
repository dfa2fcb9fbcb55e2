import { eq, sql } from "drizzle-orm";
import { records } from "../../db/records.ts";
import { members } from "../members/tables.ts";
import { ApiToken } from "./record.ts";
import { apiTokens } from "./tables.ts";

export const { find: findToken } = records(apiTokens, ApiToken, {});

const creator = sql<string>`(SELECT coalesce(${members.name}, ${members.email}) FROM ${members}
  WHERE ${members.id} = ${apiTokens.created_by})`.as("creator");

const listed = records(apiTokens, ApiToken, { creator });

interface TokenFilter {
  id?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** A page of a workspace's tokens, or the one with an id, newest first. */
export const listTokens = (db: D1Database, organizationId: string, { id, ...page }: TokenFilter) =>
  listed.page(db, organizationId, {
    ...page,
    where: id === undefined ? undefined : eq(apiTokens.id, id),
    kind: "an API token",
  });
