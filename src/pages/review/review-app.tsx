import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type * as z from "zod";
import { Refusal, refuse } from "../../contract/refusal.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import { ledgerKeys, type RequestIdentity } from "../../core/ledger/ledger.ts";
import { once } from "../../core/ledger/once.ts";
import { runOperation } from "../../operations/run-operation.ts";
import { sha256Hex } from "../../platform/digest.ts";
import { note, report } from "../../platform/log.ts";
import { isSecret, secretHash } from "../../platform/secret.ts";
import { failureOf } from "../../platform/unavailable.ts";
import { confirmCode } from "../../review/access/confirm-code.ts";
import { mailCode } from "../../review/access/mail-code.ts";
import { isShareToken } from "../../review/access/share-url.ts";
import { recordFeedback } from "../../review/feedback/record-feedback.ts";
import { sendNotices } from "../../review/notices/send-notices.ts";
import { signOffDeliverable } from "../../review/sign-offs/sign-off-deliverable.ts";
import { findReview } from "../../review/visits/find-review.ts";
import { changeRequestsSeen } from "../../review/visits/form-id.ts";
import type { Review } from "../../review/visits/review.ts";
import type { ReviewClient } from "../../review/visits/review-client.ts";
import type { PageApp } from "../page-app.ts";
import { tooManyRequests } from "../too-many-requests.tsx";
import { postOpening, showAgency, visitorOf } from "./agency-view.ts";
import type { CompletedAction } from "./completed-action.ts";
import { keyHashOf, rememberKey, rememberName } from "./cookie.ts";
import type { Given } from "./forms.tsx";
import {
  AskForCodeForm,
  CodeForm,
  FeedbackForm,
  ReplyForm,
  readForm,
  SignOffForm,
  valuesOf,
} from "./read-form.ts";
import { confirmStopReminders, postStopReminders } from "./reminders.tsx";
import { pathOf, redirectToReview, refusedReview, reviewNotFound, reviewPage } from "./responses.tsx";
import { downloadProof, showCertificate } from "./show-certificate.tsx";
import { showImage, showPreview } from "./show-image.ts";
import { adminOf, mayVisit, rememberVisitorKey, visitOf } from "./visitor.ts";

type C = Context<PageApp>;

/** Serves the client's review (contract P1). Only handles HTTP; the rules are in src/review/. GET changes nothing. */
export function reviewApp(): Hono<PageApp> {
  const app = new Hono<PageApp>();
  app.use("/:token/*", withShareToken);
  app.get("/:token", showReview);
  app.get("/:token/certificate", showCertificate);
  app.get("/:token/certificate/proof.jws", downloadProof);
  app.get("/:token/versions/:number/image", showVersion);
  app.get("/:token/preview", showPreview);
  app.post("/:token/versions/:number/opened", postOpening);
  app.get("/:token/agency", showAgency);
  app.get("/:token/agency/versions/:number/image", showVersion);
  app.post("/:token/agency/reply", limited, postReply);
  app.get("/:token/:key", followPersonalLink);
  app.get("/:token/:key/reminders", confirmStopReminders).post(limited, postStopReminders);
  app.post("/:token/feedback", limited, postFeedback);
  app.post("/:token/reply", limited, postReply);
  app.post("/:token/sign-off", limited, postSignOff);
  app.post("/:token/code", limited, postCode);
  app.post("/:token/verify", limited, postVerify);
  return app;
}

/** Returns a 404 without a query for a malformed token, and limits how often a review is read. */
const withShareToken: MiddlewareHandler<PageApp> = async (c, next) => {
  const token = c.req.param("token") ?? "";
  if (!isShareToken(token)) return reviewNotFound(c);
  if (!(await mayVisit(c, "reads"))) return tooManyRequests(c, refuse("too_many_reads"));
  return next();
};

/** Stops reading a form that is longer than any valid one. */
const limited = bodyLimit({
  maxSize: reviewLimits.formBytes,
  onError: (c) => refused(c as C, refuse("payload_too_large")),
});

async function showReview(c: C): Promise<Response> {
  const visit = visitOf(c);
  const review = await findReview(c.get("services").db, { ...visit, before: c.req.query("before") });
  if (review) rememberVisitorKey(c, visit, review.visitor !== "link_only");
  return review ? reviewPage(c, review, await visitorOf(c, review)) : reviewNotFound(c);
}

/**
 * Handles the e-mailed link: stores its key in a cookie and redirects to the review. An invalid link (an old one, or
 * the URL of a rejected form) leaves the visitor's key unchanged.
 */
async function followPersonalLink(c: C): Promise<Response> {
  const key = c.req.param("key");
  if (!isSecret(key)) return redirectToReview(c);
  const visit = { ...visitOf(c), keyHash: secretHash(key) };
  const review = await findReview(c.get("services").db, visit);
  if (!review) return reviewNotFound(c);
  rememberVisitorKey(c, visit, review.visitor !== "link_only");
  if (review.visitor !== "link_only") rememberKey(c, visit.shareToken, key, "mailed_link");
  return redirectToReview(c);
}

async function showVersion(c: C): Promise<Response> {
  const number = c.req.param("number") ?? "";
  if (!/^\d{1,9}$/.test(number)) return reviewNotFound(c);
  return showImage(c, { shareToken: visitOf(c).shareToken, versionNumber: Number(number) });
}

const postFeedback = (c: C) =>
  answerForm(c, FeedbackForm, (review, { form_id, version_number, ...said }) => {
    const request = requestOf(c, review, form_id, said);
    const context = contextOf(c, review, request, seenBy(form_id, version_number));
    const work = async () => {
      const made = await recordFeedback(context, { deliverable: review.deliverableId, ...said });
      if (made instanceof Refusal) return made;
      rememberName(c, pathOf(c), said.author_name);
      return completedQuery(said.kind);
    };
    return once(context, work, async () => completedQuery(said.kind));
  });

const postSignOff = (c: C) =>
  answerForm(c, SignOffForm, (review, { form_id, version_number, signer_name }) => {
    const request = requestOf(c, review, form_id, { signer_name });
    const context = contextOf(c, review, request, seenBy(form_id, version_number));
    const work = async () => {
      const made = await signOffDeliverable(context, { deliverable: review.deliverableId, signer_name });
      if (made instanceof Refusal) return made;
      rememberName(c, pathOf(c), signer_name);
      return "#sign-off";
    };
    return once(context, work, async () => "#sign-off");
  });

/** Runs the operation `reply-to-review` as a signed-in admin of the workspace. */
const postReply = (c: C) =>
  answerForm(c, ReplyForm, async (review, { form_id, reply }) => {
    const admin = await adminOf(c, review.organizationId);
    if (!admin) return refuse("admins_only", { action: "reply in reviews" });
    const fingerprint = sha256Hex(JSON.stringify(["reply-to-review", form_id, reply]));
    const call = {
      name: "reply-to-review",
      fields: { deliverable: review.deliverableId, body: reply },
      organization: admin.id,
      actor: admin.email,
      form: fingerprint,
      requestId: c.get("requestId"),
    };
    const done = await runOperation(call, c.get("services"), (work) => c.executionCtx.waitUntil(work));
    return done instanceof Refusal && done.name !== "form_sent_before" ? done : completedQuery("reply");
  });

/** Returns the query string and fragment for a page that confirms what was done and says what happens next. */
const completedQuery = (done: CompletedAction) => `?done=${done}#done`;

/** Returns the review's state when the form was shown. */
const seenBy = (formId: string, versionNumber: number): ReviewClient["seen"] => ({
  versionNumber,
  changeRequests: changeRequestsSeen(formId),
});

/** Identifies a submitted form in the ledger. */
const requestOf = (
  c: C,
  { organizationId, deliverableId }: Review,
  formId: string,
  said: object,
): RequestIdentity => ({
  organizationId,
  key: ledgerKeys.reviewForm(deliverableId, c.req.path.split("/").at(-1) ?? "", formId),
  fingerprint: sha256Hex(JSON.stringify(said)),
  requestId: c.get("requestId"),
  actor: "client",
});

/** Builds a context with the client as the actor. Unless the form says otherwise, the client saw the current review. */
function contextOf(
  c: C,
  review: Review,
  request: RequestIdentity | undefined,
  seen: ReviewClient["seen"] = review,
) {
  const actor: ReviewClient = {
    kind: "client",
    review,
    seen,
    keyHash: keyHashOf(c),
    ipAddress: c.req.header("cf-connecting-ip") ?? null,
    userAgent: c.req.header("user-agent")?.slice(0, reviewLimits.userAgentCharacters) ?? null,
  };
  return { services: c.get("services"), organization: { id: review.organizationId }, actor, request };
}

const postCode = (c: C) =>
  answerForm(c, AskForCodeForm, async (review, { form_id }) => {
    const request = form_id === undefined ? undefined : requestOf(c, review, form_id, {});
    return (await mailCode(contextOf(c, review, request))) ?? "?done=code#sign-off";
  });

const postVerify = (c: C) =>
  answerForm(c, CodeForm, async (review, { code, form_id }) => {
    const request = form_id === undefined ? undefined : requestOf(c, review, form_id, { code });
    const confirmed = await confirmCode(contextOf(c, review, request), visitOf(c), code);
    if (confirmed instanceof Refusal) return confirmed;
    rememberKey(c, visitOf(c).shareToken, confirmed.key, "mailed_code");
    return "?done=confirmed#sign-off";
  });

/**
 * Reads a form and does its work, or shows the review with the refusal. The work returns the anchor of its result on
 * the page. Notices and webhooks are sent after the response.
 */
async function answerForm<T>(
  c: C,
  schema: z.ZodType<T>,
  work: (review: Review, form: T) => Promise<string | Refusal>,
): Promise<Response> {
  const fields = await c.req.formData().catch(() => new FormData());
  const values = valuesOf(fields);
  if (!(await mayVisit(c, "forms"))) return refused(c, refuse("too_many_forms"), { values, errors: {} });
  const form = readForm(schema, fields);
  if (form.errors) return refused(c, refuse("validation"), { values, errors: form.errors });
  const review = await findReview(c.get("services").db, visitOf(c));
  if (!review) return reviewNotFound(c);
  const done = review.isMoving
    ? refuse("organization_is_moving")
    : await work(review, form.data).catch(refuseFailedWrite);
  if (done instanceof Refusal) return refused(c, done, { values, errors: errorsOf(done) });
  note({ organization_id: review.organizationId });
  c.executionCtx.waitUntil(followUp(c, review.organizationId));
  return redirectToReview(c, done);
}

/** Returns the refusal if only writes fail, because the page can then still show the visitor's input. */
function refuseFailedWrite(error: unknown): Refusal {
  const refusal = failureOf(error);
  if (refusal.name === "organization_is_moving") return refusal;
  if (refusal.name !== "storage_full") throw error;
  report({ failed: "form" }, error);
  return refusal;
}

const errorsOf = ({ name }: Refusal): Record<string, string> =>
  name === "code_wrong" ? { code: "Not the code from the newest e-mail" } : {};

/** Sends webhooks and notices. If this fails, the next cron run sends them. */
async function followUp(c: C, organizationId: string): Promise<void> {
  const services = c.get("services");
  const noticed = sendNotices(services, organizationId);
  await Promise.all([
    services.enqueueDueDeliveries(organizationId),
    noticed.catch((error) => report({ failed: "notices" }, error)),
  ]);
}

/** Shows the review in its current state, with the rejected input. */
async function refused(c: C, refusal: Refusal, given: Given = { values: {}, errors: {} }): Promise<Response> {
  const review = await findReview(c.get("services").db, visitOf(c));
  return review
    ? refusedReview(c, review, await visitorOf(c, review), { refusal, given })
    : reviewNotFound(c);
}
