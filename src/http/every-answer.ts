import { refuse } from "../contract/refusal.ts";
import { developmentKeysIn, type KeysOfService } from "../platform/development-keys.ts";
import { report } from "../platform/log.ts";
import { isLoopback, isPlainHttp } from "./plain-http.ts";
import { errorResponse } from "./responses.ts";

/** For a year, browsers that have seen this header use only HTTPS. */
export const strictTransport = "max-age=31536000";

/** Adds the headers that every response has. Rejects requests from a network while development keys are set. */
export async function answerSafely(
  request: Request,
  env: KeysOfService,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const keys = developmentKeysIn(env);
  // Each app rejects plain HTTP itself, before anything else.
  if (keys.length > 0 && !isLoopback(request.url) && !isPlainHttp(request.url)) {
    const request_id = crypto.randomUUID();
    report(
      { request_id, refused: "development keys" },
      `${keys.join(", ")}: set them by wrangler secret put`,
    );
    const headers = { "X-Request-Id": request_id, "Cache-Control": "private, no-store" };
    return withSafeHeaders(request, errorResponse(refuse("unexpected", {}, headers)));
  }
  return withSafeHeaders(request, await answer());
}

function withSafeHeaders(request: Request, given: Response): Response {
  const response = withoutSniffing(given);
  if (request.url.startsWith("https:")) response.headers.set("Strict-Transport-Security", strictTransport);
  return response;
}

function withoutSniffing(response: Response): Response {
  try {
    response.headers.set("X-Content-Type-Options", "nosniff");
    return response;
  } catch {
    // The headers of a response from a binding are immutable.
    return withoutSniffing(new Response(response.body, response));
  }
}
