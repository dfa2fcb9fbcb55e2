import type { LoggedRequest, RequestFilter } from "../../contract/request-log.ts";
import type { Services } from "../../core/services.ts";
import { build, rowsOf } from "../../db/build.ts";
import { run } from "../../db/query.ts";
import { ownedAmong } from "../../db/records.ts";
import { apiTokens } from "../tokens/tables.ts";
import type { ApiRequest } from "./record.ts";

type Token = ApiRequest["token"];

export const shownRequest = (
  { token_id: _, events: __, request_id, at, ...request }: LoggedRequest,
  token: Token,
): ApiRequest => ({ request_id, at, token, ...request });

/** Finds each logged request's token, because revoked and expired tokens are kept. */
const tokensOf = (organizationId: string, ids: Iterable<string>) =>
  rowsOf(
    build
      .select({ id: apiTokens.id, name: apiTokens.name, token_prefix: apiTokens.token_prefix })
      .from(apiTokens)
      .where(ownedAmong(apiTokens, organizationId, [...ids])),
  );

export async function tokensById(
  { db }: Pick<Services, "db">,
  organizationId: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Token>> {
  const found = ids.size === 0 ? [] : await run(db, tokensOf(organizationId, ids));
  return new Map(found.map((token) => [token.id, token]));
}

/** Lists logged requests of an organization, newest first. */
export async function listRequests(
  services: Pick<Services, "db" | "coordinators">,
  organizationId: string,
  filter: RequestFilter,
): Promise<ApiRequest[]> {
  const found = await services.coordinators.getByName(organizationId).findRequests(filter);
  const tokens = await tokensById(services, organizationId, new Set(found.map(({ token_id }) => token_id)));
  return found.flatMap((request) => {
    const token = tokens.get(request.token_id);
    return token ? [shownRequest(request, token)] : [];
  });
}
