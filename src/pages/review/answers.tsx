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

/** The last part of the address of the workspace's own view, for a browser that also has the client's key. */
const agencyPart = "agency";

/** Whether the request is for the workspace's own view at its own address. */
export const isAgencyPath = (c: Context): boolean => c.req.path.split("/")[3] === agencyPart;

/** The address of the page that the visitor sees. */
const pageOf = (c: Context): string => (isAgencyPath(c) ? `${pathOf(c)}/${agencyPart}` : pathOf(c));

/** The page, rendered for its visitor. */
const pageFor = (c: Context, page: Omit<ReviewPageOptions, "path" | "visitor">, visitor: SeenBy) =>
  visitor.agency ? (
    <AgencyPage {...page} path={pageOf(c)} reviewPath={pathOf(c)} visitor={visitor} agency={visitor.agency} />
  ) : (
    <ReviewPage {...page} path={pathOf(c)} visitor={visitor} />
  );

/** Who is viewing a review: its client, a visitor with the link, or its workspace. */
export interface SeenBy extends Visitor {
  agency?: Agency;
}

export const reviewNotFound = (c: Context): Response => showPage(c, <NotFoundPage link={null} />, 404);

/** 303 See Other after a successful form, so that going back or reloading submits nothing twice. */
export const seeReview = (c: Context, anchor = ""): Response => c.redirect(`${pageOf(c)}${anchor}`, 303);

/** The page of a review, showing the requested version, or two side by side, if they exist. */
export function reviewPage(c: Context, review: Review, visitor: SeenBy): Response {
  const compared = c.req.query("compare");
  if (compared !== undefined) return comparePage(c, review, compared);
  const asked = Number(c.req.query("version") ?? review.versionNumber);
  const shown = review.versions.find(({ versionNumber }) => versionNumber === asked);
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

/** The newest version, whichever one is shown. */
function linkPreviewOf(c: Context, review: Review): LinkPreview | undefined {
  if (!review.hasPreview) return undefined;
  const { versionPicture }: Pick<Services, "versionPicture"> = c.get("services");
  const hasPicture = versionPicture !== null && review.versions[0]?.hasImage;
  return {
    title: `${review.title} · ${review.workspace}`,
    image: hasPicture ? new URL(`${pathOf(c)}/preview`, c.req.url).href : undefined,
  };
}

/** Two versions that both have an image: `1,2`. */
function comparePage(c: Context, review: Review, compared: string): Response {
  const [first, second, ...others] = compared
    .split(",")
    .map((asked) => review.versions.find(({ versionNumber }) => versionNumber === Number(asked)));
  if (!first?.hasImage || !second?.hasImage || others.length > 0) return reviewNotFound(c);
  note({ organization_id: review.organizationId });
  return showPage(c, <ComparePage review={review} path={pageOf(c)} pair={[first, second]} />);
}

/**
 * After these refusals the page shows work other than what the visitor consented to, so the consent box is
 * cleared.
 */
const asksAnew: ReadonlySet<RefusalName> = new Set(["newer_version", "changes_requested"]);

/** The page of the review in its current state, with what was refused and why. */
export function refusedReview(
  c: Context,
  review: Review,
  visitor: SeenBy,
  { refusal, given }: { refusal: Refusal; given: Given },
): Response {
  const { name, status, alert, headers } = refusal;
  const shown = review.versions[0];
  if (!shown) return reviewNotFound(c);
  note({ code: name, organization_id: review.organizationId });
  const values = asksAnew.has(name) ? { ...given.values, consent: "" } : given.values;
  const page = {
    review,
    shown,
    isEmbedLoaded: false,
    formId: newFormId(review.changeRequests),
    refusal: { text: alert, given: { ...given, values } },
  };
  return showPage(c, pageFor(c, page, visitor), status, headers);
}
