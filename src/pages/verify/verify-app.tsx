import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { refuse } from "../../contract/refusal.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import { bytesToRead, isLargeBody } from "../../http/read-body.ts";
import { senderOf } from "../../http/sender-of.ts";
import { reserveLargeBody } from "../../http/senders.ts";
import { verifyProof } from "../../review/sign-offs/verify-proof.ts";
import { htmlOf } from "../layout.tsx";
import { MessagePage } from "../message.tsx";
import type { PageApp } from "../page-app.ts";
import { tooOften } from "../too-often.tsx";
import { VerifyPage } from "./verify-page.tsx";

type C = Context<PageApp>;

/** Where anyone checks the proof of a sign-off (contract P23). It stores nothing. */
export function verifyApp(): Hono<PageApp> {
  const app = new Hono<PageApp>();
  app.get("/", (c) => c.html(htmlOf(<VerifyPage />)));
  app.post("/", inTurn, limited, judge);
  return app;
}

/**
 * The forms of each sender are limited per minute. All visitors share the memory that one organization has for large
 * bodies.
 */
const inTurn: MiddlewareHandler<PageApp> = async (c, next) => {
  const { raw } = c.req;
  if (!(await c.get("services").mayReadForm(`verify ${senderOf(raw.headers)}`)))
    return tooOften(c, refuse("too_many_forms"));
  if (!isLargeBody(raw)) return next();
  const release = reserveLargeBody("verify", bytesToRead(raw, reviewLimits.verifyBytes));
  if (!release) return tooOften(c, refuse("too_many_images"));
  await next().finally(release);
};

const limited = bodyLimit({
  maxSize: reviewLimits.verifyBytes,
  onError: (c) => c.html(htmlOf(tooLarge), refuse("payload_too_large").status),
});

const tooLarge = (
  <MessagePage
    heading="The file is too large"
    text="An image that was signed off has at most 10 MB."
    link={{ text: "Back to the check", href: "/verify" }}
  />
);

async function judge(c: C): Promise<Response> {
  const form = await c.req.formData().catch(() => new FormData());
  const [proof, image] = [form.get("proof"), form.get("image")];
  const text = typeof proof === "string" ? proof.trim() : "";
  const bytes = image instanceof File && image.size > 0 ? new Uint8Array(await image.arrayBuffer()) : null;
  const verdict = await verifyProof(c.get("services").signOffKeys, text, bytes);
  return c.html(htmlOf(<VerifyPage proof={text} verdict={verdict} />), verdict.facts ? 200 : 400) as Response;
}
