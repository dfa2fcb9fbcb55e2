import { refuse } from "../../contract/refusal.ts";
import { requestLogLimits } from "../../contract/request-log-limits.ts";
import { thousands } from "../../contract/thousands.ts";
import { askCoordinator } from "../../http/ask-coordinator.ts";
import {
  cursorAt,
  cursorFits,
  invalidCursor,
  ListPage,
  PageParameters,
  positionIn,
} from "../../http/pagination.ts";
import { read } from "../../http/read.ts";
import { sendNow } from "../../http/request-log.ts";
import { shownRequest } from "../../workspace/request-log/read-log.ts";
import { ApiRequest, exampleRequest, statusInput } from "../../workspace/request-log/record.ts";
import { findOwnToken } from "../../workspace/tokens/own-token.ts";

const { keptDays, keptRequests } = requestLogLimits;

const path = "/api-v1/requests";

export const listRequestsOfToken = read({
  path,
  operationId: "listRequests",
  tag: "Requests",
  summary: "List your recent requests and their errors",
  description:
    `The token's requests from the last ${keptDays} days, newest first. At most ${thousands(keptRequests)} ` +
    "requests are kept per workspace. A request appears within two seconds of its response. All 429s of a route " +
    "within the same minute share one entry with a `count`. The log stores none of the data that you sent, " +
    "except the id in the path.",
  scope: null,
  query: PageParameters.pick({ limit: true, cursor: true }).extend({ status: statusInput.optional() }),
  answer: ListPage(ApiRequest),
  answerDescription: "One page",
  examples: { answer: { data: [exampleRequest], next_cursor: null } },
  failures: ["validation"],
  load: ({ tokenHash, query }) =>
    query.cursor !== undefined && positionIn(query.cursor) === null
      ? invalidCursor()
      : findOwnToken({ tokenHash }),
  async present(token, { query, services }, { principal: { organizationId, tokenId } }) {
    if (!token) return refuse("invalid_token");
    const list = { route: `${path} ${tokenId}`, organizationId, cursorKeys: services.cursorKeys };
    if (!cursorFits(list, query)) return invalidCursor();
    const { status, limit } = query;
    const cursor = query.cursor && (positionIn(query.cursor) ?? undefined);
    await sendNow(services, organizationId);
    const coordinator = services.coordinators.getByName(organizationId);
    const found = await askCoordinator(
      coordinator.findRequests({ token: tokenId, status, cursor, limit: limit + 1 }),
    );
    const { id, name, token_prefix } = token;
    const data = found.slice(0, limit).map((request) => shownRequest(request, { id, name, token_prefix }));
    const last = found.length > limit ? data.at(-1) : undefined;
    return { data, next_cursor: last ? cursorAt(list, query, last.request_id) : null };
  },
});
