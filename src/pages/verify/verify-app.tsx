import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { refuse } from "../../contract/refusal.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import { run } from "../../db/query.ts";
import { bytesToRead, isLargeBody } from "../../http/read-body.ts";
import { senderOf } from "../../http/sender-of.ts";
import { reserveLargeBody } from "../../http/senders.ts";
import { serviceStateOf } from "../../platform/service-state.ts";
import { proofOf } from "../../platform/signing.ts";
import { findPrintedCertificate, findSignedVersion } from "../../review/sign-offs/find-sign-off.ts";
import { type ProofVerdict, verifyProof } from "../../review/sign-offs/verify-proof.ts";
import { findKey } from "../../review/visits/find-key.ts";
import { showPage } from "../layout.tsx";
import { MessagePage, NotFoundPage } from "../message.tsx";
import type { PageApp } from "../page-app.ts";
import { keyHashForProof } from "../review/cookie.ts";
import { showImage } from "../review/show-image.ts";
import { adminOf } from "../review/visitor.ts";
import { tooManyRequests } from "../too-many-requests.tsx";
import { VerifyPage } from "./verify-page.tsx";

type C = Context<PageApp>;

/** Serves the page where anyone can verify a sign-off proof (contract P23). It does not store anything. */
export function verifyApp(): Hono<PageApp> {
  const app = new Hono<PageApp>();
  app.get("/", (c) => showPage(c, <VerifyPage />));
  app.post("/", limitForms, limited, judge);
  return app;
}

/** Serves the paths that need the database: the URL on a printed certificate, and the sign-off's picture. */
export function signOffApp(): Hono<PageApp> {
  const app = new Hono<PageApp>();
  app.get("/:id", mayRead, showSignOff);
  app.get("/:deliverable/image", mayRead, showSignedImage);
  return app;
}

const toCheck = { text: "Check a proof", href: "/verify" };

const mayRead: MiddlewareHandler<PageApp> = async (c, next) =>
  (await c.get("services").mayReadReview(`verify ${senderOf(c.req.raw.headers)}`))
    ? next()
    : tooManyRequests(c, refuse("too_many_reads"));

/** Shows the page that a certificate's QR code opens, with the proof and its verification. */
async function showSignOff(c: C): Promise<Response> {
  const { db, signOffKeys } = c.get("services");
  const certificate = await run(db, findPrintedCertificate({ id: c.req.param("id") ?? "" }));
  if (!certificate) return showPage(c, <NotFoundPage link={toCheck} />, 404);
  const proof = await proofOf(signOffKeys, certificate.facts);
  const verdict = await verifyProof(signOffKeys, proof, null);
  return showPage(c, <VerifyPage proof={proof} verdict={verdict} picture={await pictureOf(c, verdict)} />);
}

/** Shows the signed version's picture to the workspace's admins and to anyone with the review's key. */
async function showSignedImage(c: C): Promise<Response> {
  const signed = await seenVersion(c, c.req.param("deliverable") ?? "");
  return signed ? showImage(c, signed) : showPage(c, <NotFoundPage link={toCheck} />, 404);
}

/** Finds the signed version, if the visitor may see its picture. */
async function seenVersion(c: C, deliverableId: string) {
  const { db } = c.get("services");
  const signed = await run(db, findSignedVersion({ deliverableId }));
  if (!signed) return null;
  if (await adminOf(c, signed.organizationId)) return signed;
  const visit = { shareToken: signed.shareToken, keyHash: keyHashForProof(c, signed.shareToken) };
  return visit.keyHash !== "" && (await run(db, findKey(visit))) ? signed : null;
}

/** Verification works without the database, even while the service is closed, but then shows no picture. */
const pictureIfKnown = async (c: C, verdict: ProofVerdict): Promise<string | undefined> =>
  serviceStateOf(c.env) === "closed" ? undefined : pictureOf(c, verdict).catch(() => undefined);

/** Returns the picture's path, if there is a picture to show. */
async function pictureOf(c: C, { facts }: ProofVerdict): Promise<string | undefined> {
  if (!facts?.asset_sha256 || !(await seenVersion(c, facts.deliverable_id))) return undefined;
  return `/verify/${facts.deliverable_id}/image`;
}

/**
 * Limits the forms that each sender can submit per minute. All visitors together share one organization's memory for
 * large bodies.
 */
const limitForms: MiddlewareHandler<PageApp> = async (c, next) => {
  const { raw } = c.req;
  if (!(await c.get("services").mayReadForm(`verify ${senderOf(raw.headers)}`)))
    return tooManyRequests(c, refuse("too_many_forms"));
  if (!isLargeBody(raw)) return next();
  const release = reserveLargeBody("verify", bytesToRead(raw, reviewLimits.verifyBytes));
  if (!release) return tooManyRequests(c, refuse("too_many_images"));
  await next().finally(release);
};

const limited = bodyLimit({
  maxSize: reviewLimits.verifyBytes,
  onError: (c) => showPage(c, tooLarge, refuse("payload_too_large").status),
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
  const [proof, file, image] = [form.get("proof"), form.get("proof_file"), form.get("image")];
  const pasted = typeof proof === "string" ? proof.trim() : "";
  const text = pasted === "" && file instanceof File ? (await file.text()).trim() : pasted;
  const bytes = image instanceof File && image.size > 0 ? new Uint8Array(await image.arrayBuffer()) : null;
  const verdict = await verifyProof(c.get("services").signOffKeys, text, bytes);
  const page = <VerifyPage proof={text} verdict={verdict} picture={await pictureIfKnown(c, verdict)} />;
  return showPage(c, page, verdict.facts ? 200 : 400);
}
