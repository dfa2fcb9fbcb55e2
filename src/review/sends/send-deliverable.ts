import { and, eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import type { Context } from "../../core/context.ts";
import type { NewEntry, Recorded } from "../../core/ledger/ledger.ts";
import { build, named, nullable, type Placeholders, prepared, rowOf } from "../../db/build.ts";
import { mapped, type Query } from "../../db/query.ts";
import { clients } from "../../work/clients/tables.ts";
import { projects } from "../../work/projects/tables.ts";
import { brands } from "../../workspace/brands/tables.ts";
import { members } from "../../workspace/members/tables.ts";
import { grantedBy } from "../../workspace/tokens/organization-of.ts";
import type { TokenActor } from "../../workspace/tokens/principal.ts";
import { apiTokens } from "../../workspace/tokens/tables.ts";
import { isOnAllowedOrigin } from "../access/share-url.ts";
import { deliverables } from "../deliverables/tables.ts";
import { previewPath } from "../visits/find-image.ts";
import { type MailingServices, mailAndRecord, type SharedAt } from "./mail-and-record.ts";
import type { NewSend, Send } from "./record.ts";
import { type ReviewRequest, reviewMail } from "./review-mail.ts";

interface SendableDeliverable
  extends SharedAt,
    Omit<ReviewRequest, "organizationName" | "message" | "clientEmail" | "link"> {
  id: string;
  clientEmail: string | null;
  isSignedOff: boolean;
  isSample: boolean;
}

/** The e-mail's content without the personal link, which is created for each e-mail. */
export type SendableReview = Omit<ReviewRequest, "link"> &
  SharedAt & {
    id: string;
    /** Null for the workspace's default. */
    remindAfterDays: number | null;
  };

const findDeliverable = prepared((bind: Placeholders<{ tokenHash: string; id: string }>) => {
  const ofToken = (organizationId: SQLiteColumn) => eq(organizationId, apiTokens.organization_id);
  return rowOf(
    build
      .select({
        id: deliverables.id,
        title: deliverables.title,
        versionNumber: named(deliverables.version_number, "versionNumber"),
        shareUrl: named(deliverables.share_url, "shareUrl"),
        isOnAllowedOrigin: isOnAllowedOrigin.as("isOnAllowedOrigin"),
        currentState: named(deliverables.current_state, "currentState"),
        isSample: named(deliverables.is_sample, "isSample"),
        clientIsSample: named(clients.is_sample, "clientIsSample"),
        clientEmail: named(clients.email, "clientEmail"),
        clientName: sql<string>`coalesce(${clients.client_name}, ${clients.name})`.as("clientName"),
        projectName: nullable(projects.name, "projectName"),
        senderName: sql<string>`coalesce(${members.name}, ${members.email})`.as("senderName"),
        senderEmail: named(members.email, "senderEmail"),
        accent: nullable(brands.accent, "accent"),
        imagePath: previewPath(deliverables.asset_path).as("imagePath"),
      })
      .from(apiTokens)
      .innerJoin(members, eq(members.id, apiTokens.created_by))
      .innerJoin(deliverables, and(eq(deliverables.id, bind.id), ofToken(deliverables.organization_id)))
      .innerJoin(clients, eq(clients.id, deliverables.client_id))
      .leftJoin(projects, eq(projects.id, deliverables.project_id))
      .leftJoin(brands, eq(brands.organization_id, deliverables.organization_id))
      .where(grantedBy(bind.tokenHash, "deliverable:send")),
  );
});

export const findSendable = (tokenHash: string, id: string): Query<SendableDeliverable | null> =>
  mapped(findDeliverable({ tokenHash, id }), (found) => {
    if (found === null) return null;
    const { currentState, clientIsSample, ...rest } = found;
    return {
      ...rest,
      isSignedOff: currentState === "signed_off",
      isSample: rest.isSample || clientIsSample,
    };
  });

/** Returns the review to send, or the refusal. */
export function requireSendable(
  deliverable: SendableDeliverable | null,
  organizationName: string,
  { message, remind_after_days }: NewSend,
): SendableReview | Refusal {
  if (!deliverable) return refuse("not_found");
  const { isSignedOff, isSample, clientEmail, ...rest } = deliverable;
  if (isSignedOff) return refuse("deliverable_signed_off");
  if (isSample) return refuse("sample_data_never_emailed");
  if (!clientEmail) return refuse("client_email_missing");
  return {
    ...rest,
    clientEmail,
    organizationName,
    message: message || null,
    remindAfterDays: remind_after_days ?? null,
  };
}

export const sendDeliverable = (
  { services, actor }: Context<TokenActor, MailingServices>,
  review: SendableReview,
  entry: NewEntry,
): Promise<Recorded<Send> | Refusal> => {
  const { id: deliverableId, versionNumber, message, remindAfterDays } = review;
  return mailAndRecord(services, {
    mailing: { ...review, organizationId: entry.organizationId, deliverableId },
    mailWith: (link) => reviewMail({ ...review, link }),
    record: { actorId: actor.id, versionNumber, message, remindAfterDays, reminder: null },
    entry,
  });
};
