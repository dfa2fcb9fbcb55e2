import type { Context } from "hono";
import type { Refusal, RefusalName } from "../../contract/refusal.ts";
import type { Services } from "../../core/services.ts";
import { note } from "../../platform/log.ts";
import { newFormId } from "../../review/visits/form-id.ts";
import type { Review } from "../../review/visits/review.ts";
import { type LinkPreview, showPage } from "../layout.tsx";
import { NotFoundPage } from "../message.tsx";
import { type Agency, AgencyPage } from "./agency-page.tsx";
import { completedActionIn } from "./completed-action.ts";
import type { Given } from "./forms.tsx";
import { ComparePage, ReviewPage, type ReviewPageOptions, type Visitor } from "./review-page.tsx";

export const pathOf = (c: Context): string => `/review/${c.req.param("token")}`;

/** The last segment of the path to the workspace's view. */
const agencyPart = "agency";

/** Whether the request's path leads to the workspace's view. */
export const isAgencyPath = (c: Context): boolean => c.req.path.split("/")[3] === agencyPart;

/** Returns the path to the page that the visitor sees. */
const pageOf = (c: Context): string => (isAgencyPath(c) ? `${pathOf(c)}/${agencyPart}` : pathOf(c));

const pageFor = (c: Context, page: Omit<ReviewPageOptions, "path" | "visitor">, visitor: Viewer) =>
  visitor.agency ? (
    <AgencyPage {...page} path={pageOf(c)} reviewPath={pathOf(c)} visitor={visitor} agency={visitor.agency} />
  ) : (
    <ReviewPage {...page} path={pathOf(c)} visitor={visitor} />
  );

/** Who is viewing a review: its client, a visitor with the link, or its workspace. */
export interface Viewer extends Visitor {
  agency?: Agency;
}

export const reviewNotFound = (c: Context): Response => showPage(c, <NotFoundPage link={null} />, 404);

/** Redirects with 303 after a successful form, so that going back or reloading does not submit it again. */
export const redirectToReview = (c: Context, anchor = ""): Response =>
  c.redirect(`${pageOf(c)}${anchor}`, 303);

/** Shows the requested version of a review, or two side by side, or a 404 if they do not exist. */
export function reviewPage(c: Context, review: Review, visitor: Viewer): Response {
  const compared = c.req.query("compare");
  if (compared !== undefined) return comparePage(c, review, compared);
  const requested = Number(c.req.query("version") ?? review.versionNumber);
  const shown = review.versions.find(({ versionNumber }) => versionNumber === requested);
  if (!shown) return reviewNotFound(c);
  note({ organization_id: review.organizationId });
  const isEmbedLoaded = c.req.query("embed") === "load";
  const formId = newFormId(review.changeRequests);
  const isEarlier = c.req.query("before") !== undefined;
  const done = completedActionIn(c.req.query("done"));
  const preview = linkPreviewOf(c, review);
  const page = { review, shown, isEmbedLoaded, isEarlier, done, formId, preview };
  return showPage(c, pageFor(c, page, visitor));
}

/** Returns the link preview, which shows the newest version, whichever one the page shows. */
function linkPreviewOf(c: Context, review: Review): LinkPreview | undefined {
  if (!review.hasPreview) return undefined;
  const { versionPicture }: Pick<Services, "versionPicture"> = c.get("services");
  const hasPicture = versionPicture !== null && review.versions[0]?.hasImage;
  return {
    title: `${review.title} · ${review.workspace}`,
    image: hasPicture ? new URL(`${pathOf(c)}/preview`, c.req.url).href : undefined,
  };
}

/** Compares two versions, given as `1,2`, that both have an image. */
function comparePage(c: Context, review: Review, compared: string): Response {
  const [first, second, ...others] = compared
    .split(",")
    .map((requested) => review.versions.find(({ versionNumber }) => versionNumber === Number(requested)));
  if (!first?.hasImage || !second?.hasImage || others.length > 0) return reviewNotFound(c);
  note({ organization_id: review.organizationId });
  return showPage(c, <ComparePage review={review} path={pageOf(c)} pair={[first, second]} />);
}

/** After these refusals, the page shows other work than the visitor consented to, so it clears the consent box. */
const needsNewConsent: ReadonlySet<RefusalName> = new Set(["newer_version", "changes_requested"]);

/** Shows the review in its current state, with the refused input and the reason. */
export function refusedReview(
  c: Context,
  review: Review,
  visitor: Viewer,
  { refusal, given }: { refusal: Refusal; given: Given },
): Response {
  const { name, status, alert, headers } = refusal;
  const shown = review.versions[0];
  if (!shown) return reviewNotFound(c);
  note({ code: name, organization_id: review.organizationId });
  const values = needsNewConsent.has(name) ? { ...given.values, consent: "" } : given.values;
  const page = {
    review,
    shown,
    isEmbedLoaded: false,
    formId: newFormId(review.changeRequests),
    refusal: { text: alert, given: { ...given, values } },
  };
  return showPage(c, pageFor(c, page, visitor), status, headers);
}
