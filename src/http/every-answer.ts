import { refuse } from "../contract/refusal.ts";
import { developmentKeysIn, type KeysOfService } from "../platform/development-keys.ts";
import { report } from "../platform/log.ts";
import { isLoopback, isPlainHttp } from "./plain-http.ts";
import { errorResponse } from "./responses.ts";

/** A year: browsers that saw one response over https use only https from then on. */
export const strictTransport = "max-age=31536000";

/** What holds for every response of this Worker, whichever app creates it. */
export async function answerSafely(
  request: Request,
  env: KeysOfService,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const keys = developmentKeysIn(env);
  // Each app refuses plain http itself, before anything else.
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
