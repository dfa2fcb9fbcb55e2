import type { Context } from "hono";
import { run } from "../../db/query.ts";
import { report } from "../../platform/log.ts";
import { findOpenings } from "../../review/openings/find-openings.ts";
import { recordOpening } from "../../review/openings/record-opening.ts";
import { findReview } from "../../review/visits/find-review.ts";
import type { Review } from "../../review/visits/review.ts";
import type { PageApp } from "../page-app.ts";
import { rememberedName } from "./cookie.ts";
import { isAgencyPath, pathOf, reviewNotFound, reviewPage, type Viewer } from "./responses.tsx";
import { adminOf, visitOf } from "./visitor.ts";

type C = Context<PageApp>;

/**
 * Shows the workspace's view at its own path, for browsers that also have the client's key. Redirects all other
 * browsers to the review.
 */
export async function showAgency(c: C): Promise<Response> {
  const review = await findReview(c.get("services").db, { ...visitOf(c), before: c.req.query("before") });
  if (!review) return reviewNotFound(c);
  const visitor = await visitorOf(c, review);
  return visitor.agency ? reviewPage(c, review, visitor) : c.redirect(pathOf(c), 303);
}

/**
 * Returns who is viewing. Signed-in owners and admins of the workspace get its view, unless they opened the client's
 * personal link.
 */
export async function visitorOf(c: C, review: Review): Promise<Viewer> {
  const admin = await adminOf(c, review.organizationId);
  const known = review.visitor === "link_only" ? undefined : review.clientName;
  const visitor = { name: rememberedName(c) ?? known, isAdmin: admin !== undefined };
  if (!admin || (known !== undefined && !isAgencyPath(c))) return visitor;
  const openings = await findOpenings(c.get("services").db, review);
  return {
    ...visitor,
    agency: { name: admin.person ?? admin.email, settingsPath: `/settings/${admin.slug}`, openings },
  };
}

/**
 * Records which version the client is viewing. JavaScript on the page reports it, so that mail scanners that follow the
 * link don't count. The response does not reveal whether anything was recorded.
 */
export async function postOpening(c: C): Promise<Response> {
  const visit = visitOf(c);
  const number = c.req.param("number") ?? "";
  if (visit.keyHash !== "" && /^\d{1,9}$/.test(number))
    await run(c.get("services").db, recordOpening(visit, Number(number))).catch((error) =>
      report({ failed: "record an opening" }, error),
    );
  return c.body(null, 204);
}
