import type { Context } from "hono";
import { type ReviewRefusal, reviewRefusals } from "../../contract/review-refusals.ts";
import { secondsOfDayLeft } from "../../domain/mails.ts";
import { newFormId } from "../../domain/review/form-id.ts";
import type { Review } from "../../domain/review/review.ts";
import { note } from "../../platform/log.ts";
import { htmlOf } from "../layout.tsx";
import { NotFoundPage } from "../message.tsx";
import type { Given } from "./forms.tsx";
import { ReviewPage } from "./review-page.tsx";

export const pathOf = (c: Context): string => `/review/${c.req.param("token")}`;

export const reviewNotFound = (c: Context): Response => c.html(htmlOf(<NotFoundPage />), 404) as Response;

/** See other: the answer to a form that did its work, so that going back or reloading sends nothing twice. */
export const seeReview = (c: Context, anchor = ""): Response => c.redirect(`${pathOf(c)}${anchor}`, 303);

/** The page of a review; of the version that was asked for, if it has one of that number. */
export function reviewPage(c: Context, review: Review): Response {
  const asked = Number(c.req.query("version") ?? review.versionNumber);
  const shown = review.versions.find(({ versionNumber }) => versionNumber === asked);
  if (!shown) return reviewNotFound(c);
  note({ organization_id: review.organizationId });
  const isEmbedLoaded = c.req.query("embed") === "load";
  const formId = newFormId(review.changeRequests);
  return c.html(htmlOf(<ReviewPage {...{ review, path: pathOf(c), shown, isEmbedLoaded, formId }} />));
}

const retryAfterSeconds: Partial<Record<ReviewRefusal, () => number>> = {
  too_many_codes: () => 3600,
  too_many_mails: () => secondsOfDayLeft(Date.now()),
  too_many_comments: () => 24 * 3600,
  too_many_requests: () => 60,
};

/** These refusals show other work than the visitor agreed to, so the consent box is empty again. */
const asksAnew: ReadonlySet<ReviewRefusal> = new Set(["newer_version", "changes_requested"]);

/** The page of the review as it is now, with what was refused and why. */
export function refusedReview(c: Context, review: Review, refusal: ReviewRefusal, given: Given): Response {
  const { status, text } = reviewRefusals[refusal];
  const shown = review.versions[0];
  if (!shown) return reviewNotFound(c);
  note({ code: refusal, organization_id: review.organizationId });
  const values = asksAnew.has(refusal) ? { ...given.values, consent: "" } : given.values;
  const page = (
    <ReviewPage
      review={review}
      path={pathOf(c)}
      shown={shown}
      isEmbedLoaded={false}
      formId={newFormId(review.changeRequests)}
      refusal={{ text, given: { ...given, values } }}
    />
  );
  const retryAfter = retryAfterSeconds[refusal]?.();
  if (retryAfter !== undefined) c.header("Retry-After", String(retryAfter));
  return c.html(htmlOf(page), status) as Response;
}
