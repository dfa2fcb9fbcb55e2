import type { Context } from "hono";
import type { Refusal, RefusalName } from "../../contract/refusal.ts";
import { note } from "../../platform/log.ts";
import { newFormId } from "../../review/visits/form-id.ts";
import type { Review } from "../../review/visits/review.ts";
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
  const isEarlier = c.req.query("before") !== undefined;
  return c.html(
    htmlOf(<ReviewPage {...{ review, path: pathOf(c), shown, isEmbedLoaded, isEarlier, formId }} />),
  );
}

/** These refusals show other work than the visitor agreed to, so the consent box is empty again. */
const asksAnew: ReadonlySet<RefusalName> = new Set(["newer_version", "changes_requested"]);

/** The page of the review as it is now, with what was refused and why. */
export function refusedReview(c: Context, review: Review, refusal: Refusal, given: Given): Response {
  const { name, status, alert, headers } = refusal;
  const shown = review.versions[0];
  if (!shown) return reviewNotFound(c);
  note({ code: name, organization_id: review.organizationId });
  const values = asksAnew.has(name) ? { ...given.values, consent: "" } : given.values;
  const page = (
    <ReviewPage
      review={review}
      path={pathOf(c)}
      shown={shown}
      isEmbedLoaded={false}
      formId={newFormId(review.changeRequests)}
      refusal={{ text: alert, given: { ...given, values } }}
    />
  );
  return c.html(htmlOf(page), status, headers) as Response;
}
