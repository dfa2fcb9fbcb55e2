import type { Context, MiddlewareHandler } from "hono";
import { parseAccept } from "hono/utils/accept";
import type { Refusal } from "../contract/refusal.ts";
import { notesUnderWay } from "../platform/log.ts";
import { bodyOf } from "./responses.ts";

export const problemType = "application/problem+json";

const acceptsProblems = (accept: string | undefined): boolean =>
  accept !== undefined &&
  parseAccept(accept).some(({ type, q }) => type.toLowerCase() === problemType && q > 0);

/** Returns an error as problem details (RFC 9457) if the request accepts them (contract E9). */
export const problemDetails: MiddlewareHandler<{ Variables: { requestId: string } }> = async (c, next) => {
  await next();
  const refusal = c.res.status >= 400 ? notesUnderWay()?.refusal : undefined;
  if (!refusal || !acceptsProblems(c.req.header("accept"))) return;
  const headers = new Headers(c.res.headers);
  headers.set("Content-Type", problemType);
  headers.append("Vary", "Accept");
  c.res = undefined;
  c.res = new Response(JSON.stringify(problemOf(c, refusal)), { status: refusal.status, headers });
};

function problemOf(c: Context<{ Variables: { requestId: string } }>, refusal: Refusal) {
  const { status, code, text, meaning, problems } = refusal;
  return {
    type: `${new URL(c.req.url).origin}/docs/errors#${code ?? status}`,
    title: meaning,
    status,
    detail: text,
    instance: `urn:uuid:${c.get("requestId")}`,
    ...bodyOf(refusal),
    ...(status === 400 && { errors: problems }),
  };
}
