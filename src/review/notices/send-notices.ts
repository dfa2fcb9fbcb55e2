import { and, asc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { mailLeaseMinutes } from "../../contract/mail-leases.ts";
import { mailNotice } from "../../core/mails/mail-notice.ts";
import { uncountMail } from "../../core/mails/mails.ts";
import { saveMemberMail } from "../../core/mails/member-mails.ts";
import type { Services } from "../../core/services.ts";
import { build, changesRow, named, nullable, rowOf, rows, rowsOf, statement } from "../../db/build.ts";
import { now } from "../../db/columns.ts";
import { batch, noQuery, type Query, run } from "../../db/query.ts";
import { roundRobin } from "../../db/round-robin.ts";
import { type Mail, type Mailer, sendMail } from "../../platform/mail.ts";
import { retry } from "../../platform/timeout.ts";
import { clients } from "../../work/clients/tables.ts";
import { projects } from "../../work/projects/tables.ts";
import { brands } from "../../workspace/brands/tables.ts";
import { firstOwnerEmail } from "../../workspace/members/members.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { mailedLink } from "../access/save-mailed-key.ts";
import { isOnAllowedOrigin, linkBase, reviewLink } from "../access/share-url.ts";
import { deliverables, deliverableVersions as versions } from "../deliverables/tables.ts";
import { feedback } from "../feedback/tables.ts";
import { clientPath } from "../returned-mails/client-path.ts";
import { signOffs } from "../sign-offs/tables.ts";
import { imageOfVersion, previewPath } from "../visits/find-image.ts";
import { feedbackMail, replyMail, returnedMail, signOffMail } from "./review-mails.ts";
import { reviewNotices as notices } from "./tables.ts";

/** The delay doubles with every attempt, up to 6 hours. A mailbox that is full for two days still gets its e-mail. */
const maxPauseMinutes = 360;
const maxAttempts = 16;

const noticesPerMinute = 50;

const later = (minutes: SQL | number) =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+' || ${minutes} || ' minutes')`;

const isDue = sql`${notices.due_at} <= ${now}
  AND (${notices.leased_until} IS NULL OR ${notices.leased_until} <= ${now})`;

interface DueNotice {
  id: string;
  organizationId: string;
}

const dueNotices = (organizationId: string): Query<DueNotice[]> =>
  rowsOf(
    build
      .select({
        id: named(notices.id, "id"),
        organizationId: named(notices.organization_id, "organizationId"),
      })
      .from(notices)
      .where(and(isDue, eq(notices.organization_id, organizationId)))
      .orderBy(asc(notices.due_at))
      .limit(noticesPerMinute),
  );

/** Finds due notices, with organizations taking turns. */
const dueAround = (): Query<DueNotice[]> =>
  rows(
    { id: notices.id, organizationId: named(notices.organization_id, "organizationId") },
    roundRobin(sql`${notices.id}, ${notices.organization_id} AS "organizationId"`, {
      table: notices,
      organization: notices.organization_id,
      dueAt: notices.due_at,
      isWaiting: isNotNull(notices.due_at),
      isDue,
      limit: noticesPerMinute,
    }),
  );

const isNotice = ({ id, organizationId }: DueNotice) =>
  and(eq(notices.id, id), eq(notices.organization_id, organizationId));

/** The version that the notice is about; null for none. */
const versionNumber = sql<number>`coalesce(${feedback.version_number}, ${signOffs.version_number})`;

/** A comment's pin number, counted as on the page; null if the comment has no anchor. */
const pin = sql<number | null>`iif(${feedback.anchor_x} IS NULL OR ${imageOfVersion} IS NULL, NULL,
  (SELECT count(*) FROM ${feedback} AS pinned
    WHERE pinned.deliverable_id = ${feedback.deliverable_id} AND pinned.organization_id = ${feedback.organization_id}
      AND pinned.version_number = ${feedback.version_number} AND pinned.anchor_x IS NOT NULL
      AND (pinned.created_at, pinned.id) <= (${feedback.created_at}, ${feedback.id})))`;

const ofFeedback = {
  kind: nullable(feedback.kind, "kind"),
  authorName: nullable(feedback.author_name, "authorName"),
  body: nullable(feedback.body, "body"),
  feedbackAttribution: nullable(feedback.attribution, "feedbackAttribution"),
  pin: pin.as("pin"),
};

const findNotice = (due: DueNotice) =>
  rowOf(
    build
      .select({
        recipient: named(notices.recipient, "recipient"),
        ownerEmail: firstOwnerEmail(notices.organization_id).as("ownerEmail"),
        clientEmail: nullable(clients.email, "clientEmail"),
        workspace: named(organizations.name, "workspace"),
        slug: organizations.slug,
        accent: nullable(brands.accent, "accent"),
        clientId: named(deliverables.client_id, "clientId"),
        clientName: named(clients.name, "clientName"),
        problem: nullable(deliverables.delivery_problem, "problem"),
        title: named(deliverables.title, "title"),
        shareUrl: named(deliverables.share_url, "shareUrl"),
        isOnAllowedOrigin: isOnAllowedOrigin.as("isOnAllowedOrigin"),
        ...ofFeedback,
        deliverableId: named(notices.deliverable_id, "deliverableId"),
        projectName: nullable(projects.name, "projectName"),
        signerName: nullable(signOffs.signer_name, "signerName"),
        signedOffAt: nullable(signOffs.created_at, "signedOffAt"),
        versionNumber: versionNumber.as("versionNumber"),
        imagePath: previewPath(imageOfVersion).as("imagePath"),
      })
      .from(notices)
      .innerJoin(organizations, eq(organizations.id, notices.organization_id))
      .innerJoin(deliverables, eq(deliverables.id, notices.deliverable_id))
      .innerJoin(clients, eq(clients.id, deliverables.client_id))
      .leftJoin(projects, eq(projects.id, deliverables.project_id))
      .leftJoin(feedback, eq(feedback.id, notices.feedback_id))
      .leftJoin(signOffs, eq(signOffs.id, notices.sign_off_id))
      .leftJoin(brands, eq(brands.organization_id, notices.organization_id))
      .leftJoin(
        versions,
        and(
          eq(versions.deliverable_id, notices.deliverable_id),
          eq(versions.organization_id, notices.organization_id),
          eq(versions.version_number, versionNumber),
        ),
      )
      .where(isNotice(due)),
  );
type Notice = NonNullable<ReturnType<ReturnType<typeof findNotice>["read"]>>;

/** Leases a notice. Returns true for exactly one of several concurrent runs. */
const lease = (notice: DueNotice): Query<boolean> =>
  changesRow(
    build
      .update(notices)
      .set({ leased_until: later(mailLeaseMinutes.reviewNotice) })
      .where(and(isNotice(notice), isDue))
      .returning({ id: notices.id }),
  );

const markSent = (notice: DueNotice) =>
  statement(
    build.update(notices).set({ due_at: null, leased_until: null, sent_at: now }).where(isNotice(notice)),
  );

function postpone(notice: DueNotice): Query<void> {
  const attempts = sql`${notices.attempts} + 1`;
  const next = later(sql`min(1 << ${notices.attempts}, ${maxPauseMinutes})`);
  const due_at = sql`iif(${attempts} >= ${maxAttempts}, NULL, ${next})`;
  return statement(
    build.update(notices).set({ attempts, leased_until: null, due_at }).where(isNotice(notice)),
  );
}

/**
 * Sends the due notices for one organization, right after a change, or for all organizations (null), from the cron. A
 * failed e-mail is retried later and does not delay the others.
 */
export async function sendNotices(
  services: Pick<Services, "db" | keyof Mailer>,
  organizationId: string | null,
): Promise<void> {
  const failures: unknown[] = [];
  const found = organizationId === null ? dueAround() : dueNotices(organizationId);
  for (const due of await run(services.db, found)) {
    try {
      await sendNotice(services, due);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} review notices were not sent`);
}

/**
 * Reads the notice while leasing it, because earlier e-mails may have taken minutes. Once its e-mail is sent, the
 * notice is not postponed, even if marking it as sent fails.
 */
async function sendNotice(services: Pick<Services, "db" | keyof Mailer>, due: DueNotice): Promise<void> {
  const { db, applicationUrl } = services;
  const [isLeased, notice] = await batch(db, [lease(due), findNotice(due)]);
  if (!isLeased || !notice) return;
  const { organizationId } = due;
  let keep: Query<unknown> = noQuery;
  try {
    if (notice.kind === "reply") await mailReply(services, organizationId, notice);
    else {
      const mail = mailOf(notice, applicationUrl);
      const isHeldBack = notice.signedOffAt === null;
      const messageId = mail && (await mailNotice(services, organizationId, mail, { isHeldBack }));
      if (mail && notice.recipient === "owner") keep = saveMemberMail(organizationId, mail.to, messageId);
    }
  } catch (error) {
    await run(db, postpone(due));
    throw error;
  }
  await retry(() => batch(db, [markSent(due), keep]));
}

/**
 * E-mails a reply with a personal link, which counts against the same limit as a send. Sends nothing if the client has
 * no address or the review has ended.
 */
async function mailReply(
  services: Pick<Services, "db" | keyof Mailer>,
  organizationId: string,
  notice: Notice,
): Promise<void> {
  const { clientEmail, shareUrl, deliverableId, authorName, body } = notice;
  if (clientEmail === null || authorName === null || body === null) return;
  const base = linkBase(services.applicationUrl, notice);
  const mailing = { organizationId, deliverableId, shareUrl, clientEmail };
  const link = await mailedLink(services.db, base, mailing);
  if (link === null) return;
  try {
    await sendMail(services, replyMail({ ...notice, authorName, body, link }, clientEmail));
  } catch (error) {
    await run(services.db, uncountMail(organizationId, clientEmail));
    throw error;
  }
}

/** Composes the notice's e-mail; null if there is no recipient. */
function mailOf(notice: Notice, applicationUrl: string): Mail | null {
  const {
    recipient,
    kind,
    authorName,
    body,
    feedbackAttribution,
    signerName,
    signedOffAt,
    shareUrl,
    ...about
  } = notice;
  const { problem, slug, clientId, ...returned } = about;
  const to = recipient === "owner" ? notice.ownerEmail : notice.clientEmail;
  if (to === null) return null;
  const reviewUrl = reviewLink(linkBase(applicationUrl, notice), shareUrl);
  if (kind !== null && kind !== "reply" && authorName !== null && body !== null)
    return feedbackMail(
      { ...about, kind, authorName, isConfirmed: feedbackAttribution !== "link_only", body, reviewUrl },
      to,
    );
  if (kind === null && signerName === null && problem !== null)
    return returnedMail(
      { ...returned, problem, clientUrl: `${applicationUrl}${clientPath(slug, clientId)}` },
      to,
    );
  if (signerName === null || signedOffAt === null) return null;
  return signOffMail({ ...about, signerName, signedOffAt, reviewUrl }, to, recipient);
}
