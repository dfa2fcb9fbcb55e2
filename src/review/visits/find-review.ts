import { and, desc, eq, gt, isNull, lt, type Placeholder, type SQL, sql } from "drizzle-orm";
import { reviewLimits } from "../../contract/review-limits.ts";
import { build, named, nullable, type Placeholders, prepared, rowOf, rowsOf } from "../../db/build.ts";
import { now } from "../../db/columns.ts";
import { isFenced } from "../../db/fencing.ts";
import { batch } from "../../db/query.ts";
import { clients } from "../../work/clients/tables.ts";
import { projects } from "../../work/projects/tables.ts";
import { brands, showsPreviews } from "../../workspace/brands/tables.ts";
import { members } from "../../workspace/members/tables.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { hasShareToken } from "../access/share-url.ts";
import { reviewCodes, reviewKeys } from "../access/tables.ts";
import {
  deliverables,
  deliverableSends as sends,
  deliverableVersions as versions,
} from "../deliverables/tables.ts";
import { feedback } from "../feedback/tables.ts";
import { clientPath } from "../returned-mails/client-path.ts";
import { signOffs } from "../sign-offs/tables.ts";
import { countThatFit, type Entry, type Review, type ReviewVersion } from "./review.ts";

/** A request for a review: the token from the link, and the digest of the key in the visitor's cookie. */
export interface ReviewVisit {
  shareToken: string;
  /** Empty without a key. */
  keyHash: string;
  /** The id of the comment before which to read. If it is undefined or unknown, the newest comments are read. */
  before?: string | undefined;
}

/** Matches codes for this deliverable that were sent to the client's current address and are still valid. */
export const isLiveCode = and(
  eq(reviewCodes.deliverable_id, deliverables.id),
  eq(reviewCodes.organization_id, deliverables.organization_id),
  sql`${reviewCodes.email} = ${clients.email} COLLATE NOCASE`,
  isNull(reviewCodes.used_at),
  gt(reviewCodes.expires_at, now),
  lt(reviewCodes.tries, reviewLimits.triesPerCode),
);

/** The key opens only this review, while the key is valid and its address is still the client's. */
export const opensReview = (keyHash: string | Placeholder): SQL | undefined =>
  and(
    eq(reviewKeys.key_hash, keyHash),
    eq(reviewKeys.deliverable_id, deliverables.id),
    eq(reviewKeys.organization_id, deliverables.organization_id),
    gt(reviewKeys.expires_at, now),
    sql`${reviewKeys.email} = ${clients.email} COLLATE NOCASE`,
  );

const ofBrand = {
  accent: nullable(brands.accent, "accent"),
  logo_content_type: nullable(brands.logo_content_type, "logo_content_type"),
  logo_sha256: nullable(brands.logo_sha256, "logo_sha256"),
  hasPreview: showsPreviews.as("hasPreview"),
};

const head = prepared((bind: Placeholders<ReviewVisit>) =>
  rowOf(
    build
      .select({
        organizationId: named(deliverables.organization_id, "organizationId"),
        workspace: named(organizations.name, "workspace"),
        slug: organizations.slug,
        clientId: named(deliverables.client_id, "clientId"),
        problem: nullable(deliverables.delivery_problem, "problem"),
        ...ofBrand,
        deliverableId: named(deliverables.id, "deliverableId"),
        shareUrl: named(deliverables.share_url, "shareUrl"),
        title: named(deliverables.title, "title"),
        assetPath: named(deliverables.asset_path, "assetPath"),
        projectName: nullable(projects.name, "projectName"),
        state: named(deliverables.review_state, "state"),
        versionNumber: named(deliverables.version_number, "versionNumber"),
        isMoving: sql<number>`${isFenced(deliverables.organization_id)}`.as("isMoving"),
        isSample: sql<number>`${deliverables.is_sample} OR ${clients.is_sample}`.as("isSample"),
        clientName: sql<string>`coalesce(${clients.client_name}, ${clients.name})`.as("clientName"),
        clientEmail: named(clients.email, "clientEmail"),
        visitor: nullable(reviewKeys.attribution, "visitor"),
        isCodeSent: sql<number>`EXISTS (SELECT 1 FROM ${reviewCodes} WHERE ${isLiveCode})`.as("isCodeSent"),
        reminderDueAt: named(deliverables.reminder_due_at, "reminderDueAt"),
        changeRequests: named(deliverables.change_request_count, "changeRequests"),
        signedVersion: nullable(signOffs.version_number, "signedVersion"),
        signerName: nullable(signOffs.signer_name, "signerName"),
        signedAs: nullable(signOffs.attribution, "signedAs"),
        signedAt: nullable(signOffs.created_at, "signedAt"),
        erasedAt: nullable(signOffs.erased_at, "erasedAt"),
      })
      .from(deliverables)
      .innerJoin(organizations, eq(organizations.id, deliverables.organization_id))
      .innerJoin(clients, eq(clients.id, deliverables.client_id))
      .leftJoin(projects, eq(projects.id, deliverables.project_id))
      .leftJoin(brands, eq(brands.organization_id, deliverables.organization_id))
      .leftJoin(signOffs, eq(signOffs.deliverable_id, deliverables.id))
      .leftJoin(reviewKeys, opensReview(bind.keyHash))
      .where(hasShareToken(bind.shareToken)),
  ),
);
type Head = NonNullable<ReturnType<ReturnType<typeof head>["read"]>>;

const versionsOf = prepared((bind: Placeholders<ReviewVisit>) =>
  rowsOf(
    build
      .select({
        versionNumber: named(versions.version_number, "versionNumber"),
        title: named(versions.title, "title"),
        embedUrl: named(versions.embed_url, "embedUrl"),
        assetPath: named(versions.asset_path, "assetPath"),
        note: named(versions.note, "note"),
        createdAt: named(versions.created_at, "createdAt"),
      })
      .from(deliverables)
      .innerJoin(
        versions,
        and(
          eq(versions.deliverable_id, deliverables.id),
          eq(versions.organization_id, deliverables.organization_id),
        ),
      )
      .where(hasShareToken(bind.shareToken))
      .orderBy(desc(versions.version_number)),
  ),
);
type VersionRow = ReturnType<ReturnType<typeof versionsOf>["read"]>[number];

/** The time of a comment in this review. For an unknown id, a time later than all comments. */
const momentOf = (id: Placeholder) => sql`coalesce((SELECT earlier.created_at FROM ${feedback} AS earlier
  WHERE earlier.id = ${id} AND earlier.deliverable_id = ${deliverables.id}
    AND earlier.organization_id = ${deliverables.organization_id}), '9999')`;

const feedbackOf = prepared((bind: Placeholders<Required<ReviewVisit>>) =>
  rowsOf(
    build
      .select({
        id: named(feedback.id, "id"),
        versionNumber: named(feedback.version_number, "versionNumber"),
        kind: named(feedback.kind, "kind"),
        body: named(feedback.body, "body"),
        authorName: named(feedback.author_name, "authorName"),
        attribution: named(feedback.attribution, "attribution"),
        anchorX: nullable(feedback.anchor_x, "anchorX"),
        anchorY: nullable(feedback.anchor_y, "anchorY"),
        createdAt: named(feedback.created_at, "createdAt"),
      })
      .from(deliverables)
      .innerJoin(
        feedback,
        and(
          eq(feedback.deliverable_id, deliverables.id),
          eq(feedback.organization_id, deliverables.organization_id),
          sql`(${feedback.created_at}, ${feedback.id}) < (${momentOf(bind.before)}, ${bind.before})`,
        ),
      )
      .where(hasShareToken(bind.shareToken))
      .orderBy(desc(feedback.created_at), desc(feedback.id))
      .limit(reviewLimits.shownComments + 1),
  ),
);

type FeedbackRow = ReturnType<ReturnType<typeof feedbackOf>["read"]>[number];

/** The messages from the newest sends before a comment. */
const sendsOf = prepared((bind: Placeholders<Required<ReviewVisit>>) =>
  rowsOf(
    build
      .select({
        id: named(sends.id, "id"),
        versionNumber: named(sends.version_number, "versionNumber"),
        body: sql<string>`${sends.message}`.as("body"),
        authorName: sql<string>`coalesce(${members.name}, ${members.email}, '')`.as("authorName"),
        createdAt: named(sends.sent_at, "createdAt"),
      })
      .from(deliverables)
      .innerJoin(
        sends,
        and(
          eq(sends.deliverable_id, deliverables.id),
          eq(sends.organization_id, deliverables.organization_id),
          sql`${sends.message} IS NOT NULL AND ${sends.sent_at} < ${momentOf(bind.before)}`,
        ),
      )
      .leftJoin(members, eq(members.id, sends.sent_by))
      .where(hasShareToken(bind.shareToken))
      .orderBy(desc(sends.sent_at))
      .limit(reviewLimits.shownComments),
  ),
);
type SendRow = ReturnType<ReturnType<typeof sendsOf>["read"]>[number];

/** Builds the four queries that read a review in one batch, also after a write. */
export const readsOfReview = (visit: ReviewVisit) => {
  const page = { ...visit, before: visit.before ?? "" };
  return [head(visit), versionsOf(visit), feedbackOf(page), sendsOf(page)] as const;
};

/** Reads a review in one round trip, whether or not it exists. */
export async function findReview(db: D1Database, visit: ReviewVisit): Promise<Review | null> {
  return toReview(...(await batch(db, readsOfReview(visit))));
}

export function toReview(
  found: Head | null,
  foundVersions: readonly VersionRow[],
  foundFeedback: readonly FeedbackRow[],
  foundSends: readonly SendRow[],
): Review | null {
  if (!found) return null;
  const { assetPath, shareUrl, isSample, isCodeSent, isMoving, hasPreview, visitor, ...rest } = found;
  const { signedVersion, signerName, signedAs, signedAt, erasedAt, clientEmail, ...others } = rest;
  const { accent, logo_content_type, logo_sha256, slug, clientId, problem, ...review } = others;
  return {
    ...review,
    returned: problem && { problem, clientPath: clientPath(slug, clientId) },
    brand: { organization_id: found.organizationId, accent, logo_content_type, logo_sha256 },
    isSample: isSample === 1,
    clientEmail: isSample ? null : clientEmail,
    isCodeSent: isCodeSent === 1,
    isMoving: isMoving === 1,
    hasPreview: hasPreview === 1,
    visitor: visitor ?? "link_only",
    versions: foundVersions.map((version) => toVersion(version, found)),
    ...toConversation(foundFeedback, foundSends),
    signOff:
      signedVersion === null || signerName === null || signedAs === null || signedAt === null
        ? null
        : {
            versionNumber: signedVersion,
            signerName: erasedAt === null ? signerName : null,
            attribution: signedAs,
            signedOffAt: signedAt,
          },
  };
}

/**
 * Returns the newest comments that fit on a page, with the messages sent between them. Messages from before the oldest
 * comment belong on the page of earlier comments.
 */
function toConversation(
  comments: readonly FeedbackRow[],
  messages: readonly SendRow[],
): Pick<Review, "conversation" | "hasOlderFeedback"> {
  const newestFirst: Entry[] = [
    ...comments.slice(0, reviewLimits.shownComments).map(toEntry),
    ...messages.map((sent) => ({ ...sent, kind: "send" as const, attribution: null, anchor: null })),
  ].sort((one, other) => other.createdAt.localeCompare(one.createdAt));
  const texts = newestFirst.map(({ body, authorName }) => body + authorName);
  const shown = newestFirst.slice(0, countThatFit(texts, reviewLimits.shownCommentBytes));
  const isComment = ({ kind }: Entry) => kind !== "send";
  const hasOlderFeedback = comments.length > shown.filter(isComment).length;
  const end = hasOlderFeedback ? shown.findLastIndex(isComment) + 1 : shown.length;
  return { conversation: shown.slice(0, end).toReversed(), hasOlderFeedback };
}

const toEntry = ({ anchorX, anchorY, ...said }: FeedbackRow): Entry => ({
  ...said,
  anchor: anchorX === null || anchorY === null ? null : { x: anchorX, y: anchorY },
});

/** After a legacy create, the image is stored only on the deliverable, and the share URL replaces the embed URL. */
function toVersion({ assetPath, embedUrl, ...version }: VersionRow, found: Head): ReviewVersion {
  const isNewest = version.versionNumber === found.versionNumber;
  return {
    ...version,
    embedUrl: embedUrl === found.shareUrl ? null : embedUrl,
    hasImage: assetPath !== null || (isNewest && found.assetPath !== null),
  };
}
