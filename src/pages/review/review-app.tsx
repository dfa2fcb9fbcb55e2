import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type * as z from "zod";
import { reviewLimits } from "../../contract/review-limits.ts";
import type { ReviewRefusal } from "../../contract/review-refusals.ts";
import { run } from "../../db/query.ts";
import { confirmCode } from "../../domain/review/confirm-code.ts";
import { findImage } from "../../domain/review/find-image.ts";
import { findReview, type ReviewVisit } from "../../domain/review/find-review.ts";
import { findCertificate } from "../../domain/review/find-sign-off.ts";
import { type FormOutcome, leaveFeedback } from "../../domain/review/leave-feedback.ts";
import { mailCode } from "../../domain/review/mail-code.ts";
import { sendNotices } from "../../domain/review/send-notices.ts";
import { isShareToken } from "../../domain/review/share-url.ts";
import { type SignOffEvidence, signOffReview } from "../../domain/review/sign-off.ts";
import { findSession } from "../../domain/sessions/find-session.ts";
import { senderOf } from "../../http/sender-of.ts";
import { sessionSecret } from "../../http/session-cookie.ts";
import { note, report } from "../../platform/log.ts";
import { isSecret, secretHash } from "../../platform/secret.ts";
import { proofOf } from "../../platform/signing.ts";
import { htmlOf } from "../layout.tsx";
import type { PageApp } from "../page-app.ts";
import { pathOf, refusedReview, reviewNotFound, reviewPage, seeReview } from "./answers.tsx";
import { CertificatePage } from "./certificate.tsx";
import { keyHashOf, rememberKey } from "./cookie.ts";
import { AskForCodeForm, CodeForm, FeedbackForm, readForm, SignOffForm, valuesOf } from "./read-form.ts";

type C = Context<PageApp>;

/** The client's review (CONTRACT 10): thin; the rules stand in domain/review/. GET changes nothing. */
export function reviewApp(): Hono<PageApp> {
  const app = new Hono<PageApp>();
  app.use("/:token/*", withShareToken);
  app.get("/:token", showReview);
  app.get("/:token/certificate", showCertificate);
  app.get("/:token/versions/:number/image", showImage);
  app.get("/:token/:key", followPersonalLink);
  app.post("/:token/feedback", limited, postFeedback);
  app.post("/:token/sign-off", limited, postSignOff);
  app.post("/:token/code", limited, postCode);
  app.post("/:token/verify", limited, postVerify);
  return app;
}

/** A text that can be no review's token is the page of nothing, without a trip. */
const withShareToken: MiddlewareHandler<PageApp> = async (c, next) =>
  isShareToken(c.req.param("token") ?? "") ? next() : reviewNotFound(c);

const visitOf = (c: C): ReviewVisit => ({ shareToken: c.req.param("token") ?? "", keyHash: keyHashOf(c) });

/** Stops reading a form that is longer than a valid one can be. */
const limited = bodyLimit({
  maxSize: reviewLimits.formBytes,
  onError: (c) => refused(c as C, "too_large"),
});

async function showReview(c: C): Promise<Response> {
  const review = await findReview(c.get("services").db, visitOf(c));
  return review ? reviewPage(c, review) : reviewNotFound(c);
}

/**
 * The mailed link: remembers its key and shows the clean address. A link that proves nothing (an old one, or the
 * address of a refused form) leaves the visitor's key as it is.
 */
async function followPersonalLink(c: C): Promise<Response> {
  const key = c.req.param("key");
  if (!isSecret(key)) return seeReview(c);
  const review = await findReview(c.get("services").db, { ...visitOf(c), keyHash: secretHash(key) });
  if (!review) return reviewNotFound(c);
  if (review.visitor !== "link_only") rememberKey(c, pathOf(c), key, "mailed_link");
  return seeReview(c);
}

async function showCertificate(c: C): Promise<Response> {
  const { db, signOffKeys } = c.get("services");
  const certificate = await run(db, findCertificate(visitOf(c)));
  if (!certificate) return reviewNotFound(c);
  const showsOrigin = certificate.hasKey || (await isAdminOf(c, certificate.organizationId));
  const proof = await proofOf(signOffKeys, certificate.facts);
  const keysUrl = new URL("/.well-known/jwks.json", c.req.url).href;
  return c.html(
    htmlOf(<CertificatePage {...{ certificate, showsOrigin, proof, path: pathOf(c), keysUrl }} />),
  );
}

/** Whether the visitor is signed in as an owner or admin of the workspace. */
async function isAdminOf(c: C, organizationId: string): Promise<boolean> {
  const session = await findSession(c.get("services").db, sessionSecret(c));
  return session?.workspaces.some(({ id }) => id === organizationId) ?? false;
}

/** Streamed from the bucket: ten megabytes never stand in memory. */
async function showImage(c: C): Promise<Response> {
  const { db, images } = c.get("services");
  const number = c.req.param("number") ?? "";
  const versionNumber = /^\d{1,9}$/.test(number) ? Number(number) : 0;
  const image = await run(db, findImage({ shareToken: c.req.param("token") ?? "", versionNumber }));
  const object = image?.path ? await images.get(image.path) : null;
  if (!object) return reviewNotFound(c);
  return c.body(object.body, 200, {
    "Content-Type": object.httpMetadata?.contentType ?? "application/octet-stream",
    "Content-Length": String(object.size),
    "Content-Disposition": "inline",
  }) as Response;
}

const postFeedback = (c: C) =>
  answerForm(c, FeedbackForm, async (visit, form) => {
    const outcome = await leaveFeedback(c.get("services").db, visit, form);
    return outcome && { ...outcome, anchor: `#feedback-${outcome.id}` };
  });

const postSignOff = (c: C) =>
  answerForm(c, SignOffForm, async (visit, form) => {
    const outcome = await signOffReview(c.get("services").db, visit, form, evidenceOf(c));
    return outcome && { ...outcome, anchor: "#sign-off" };
  });

const evidenceOf = (c: C): SignOffEvidence => ({
  ipAddress: c.req.header("cf-connecting-ip") ?? null,
  userAgent: c.req.header("user-agent")?.slice(0, reviewLimits.userAgentCharacters) ?? null,
});

const postCode = (c: C) =>
  answerForm(c, AskForCodeForm, async (visit, form) => {
    const outcome = await mailCode(c.get("services"), visit, form.form_id);
    return outcome && { ...outcome, anchor: "#sign-off" };
  });

const postVerify = (c: C) =>
  answerForm(c, CodeForm, async (visit, form) => {
    const outcome = await confirmCode(c.get("services"), visit, form);
    if (outcome?.key) rememberKey(c, pathOf(c), outcome.key, "mailed_code");
    return outcome && { ...outcome, anchor: "#sign-off" };
  });

type Answer = FormOutcome & { anchor: string };

/** Reads a form and does its work, or shows the review with what stands in the way. */
async function answerForm<T>(
  c: C,
  schema: z.ZodType<T>,
  work: (visit: ReviewVisit, form: T) => Promise<Answer | null>,
): Promise<Response> {
  const fields = await c.req.formData().catch(() => new FormData());
  const values = valuesOf(fields);
  if (!(await mayReadForm(c))) return refused(c, "too_many_requests", { values, errors: {} });
  const form = readForm(schema, fields);
  if (form.errors) return refused(c, "invalid", { values, errors: form.errors });
  return answer(c, await work(visitOf(c), form.data), fields);
}

/** Whether one more form of this visitor may do its work now. */
const mayReadForm = (c: C): Promise<boolean> =>
  c.get("services").mayReadForm(`${c.req.param("token")} ${senderOf(c.req.raw.headers)}`);

/** A form that did its work is answered with the page; what follows from it goes out behind the answer. */
function answer(c: C, outcome: Answer | null, fields: FormData): Response {
  if (!outcome) return reviewNotFound(c);
  const { review, refusal, anchor } = outcome;
  const errors: Record<string, string> =
    refusal === "code_wrong" ? { code: "Not the code of the newest mail" } : {};
  if (refusal) return refusedReview(c, review, refusal, { values: valuesOf(fields), errors });
  note({ organization_id: review.organizationId });
  c.executionCtx.waitUntil(followUp(c, review.organizationId));
  return seeReview(c, anchor);
}

/** What fails here is found by the cron of the next minute. */
async function followUp(c: C, organizationId: string): Promise<void> {
  const services = c.get("services");
  const works = [services.enqueueDueDeliveries(organizationId), sendNotices(services, organizationId)];
  for (const work of await Promise.allSettled(works))
    if (work.status === "rejected") report({ following_up: "review" }, work.reason);
}

/** A refusal before the review was looked at. */
async function refused(c: C, refusal: ReviewRefusal, given = { values: {}, errors: {} }): Promise<Response> {
  const review = await findReview(c.get("services").db, visitOf(c));
  return review ? refusedReview(c, review, refusal, given) : reviewNotFound(c);
}
