import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { Send } from "../../contract/resources/send.ts";
import { build, insertSelect, named, type Placeholders, prepared, row, statement } from "../../db/build.ts";
import { batch, mapped, type Query } from "../../db/query.ts";
import type { Existing } from "../../db/resource.ts";
import { deliverables, deliverableSends as sends } from "../../db/schema/review.ts";
import { clients } from "../../db/schema/work.ts";
import { organizations } from "../../db/schema/workspace.ts";
import { inTries } from "../../platform/time-limit.ts";
import { isErased } from "../clients/rows-of-client.ts";

/** Why the status did not move although the mail went out. */
export const statusWarnings = {
  noStatusFlagged:
    "The e-mail was sent. No status is flagged as on-send, so the status label did not change.",
  signedOffMeanwhile:
    "The e-mail was sent. The deliverable was signed off meanwhile, so its status did not change.",
  newerVersion: "The e-mail was sent. A newer version was added meanwhile; it has not been sent.",
  recordedLater: "The e-mail was sent. Its record is delayed, so the status will change later.",
} as const;

/** A mail that went out, with the identity of its record: all that its row needs, also if it is written later. */
export const SendRecord = z.object({
  id: z.string(),
  organizationId: z.string(),
  actorId: z.string(),
  apiTokenId: z.string().nullable().default(null),
  fingerprint: z.string().nullable(),
  deliverableId: z.string(),
  versionNumber: z.int(),
  message: z.string().nullable(),
  sentAt: z.string(),
  /** The warning that the answer already gave; null: the database decides which warning is due. */
  answeredWarning: z.string().nullable(),
});
export type SendRecord = z.output<typeof SendRecord>;

/** The deliverable may have moved while the mail was on its way. */
const dueWarning = (versionNumber: unknown) => sql`iif(${deliverables.current_state} = 'signed_off',
  ${statusWarnings.signedOffMeanwhile}, iif(${deliverables.version_number} <> ${versionNumber},
  ${statusWarnings.newerVersion}, iif(${organizations.on_send_status_label} IS NULL,
  ${statusWarnings.noStatusFlagged}, NULL)))`;

const insertSend = prepared((bind: Placeholders<SendRecord>) =>
  statement(
    insertSelect(
      sends,
      {
        id: sql`${bind.id}`,
        organization_id: sql`${deliverables.organization_id}`,
        deliverable_id: sql`${deliverables.id}`,
        version_number: sql`${bind.versionNumber}`,
        message: sql`iif(${isErased}, NULL, ${bind.message})`,
        status_warning: sql`coalesce(${bind.answeredWarning}, ${dueWarning(bind.versionNumber)})`,
        sent_by: sql`${bind.actorId}`,
        request_fingerprint: sql`${bind.fingerprint}`,
        api_token_id: sql`${bind.apiTokenId}`,
        sent_at: sql`${bind.sentAt}`,
      },
      sql`FROM ${deliverables} JOIN ${organizations} ON ${eq(organizations.id, deliverables.organization_id)}
        JOIN ${clients} ON ${eq(clients.id, deliverables.client_id)}
        WHERE ${and(eq(deliverables.id, bind.deliverableId), eq(deliverables.organization_id, bind.organizationId))}
        ON CONFLICT (id) DO NOTHING`,
    ),
  ),
);

const selection = {
  id: named(sends.deliverable_id, "id"),
  version_number: sends.version_number,
  status_warning: sends.status_warning,
  sent_at: sends.sent_at,
  request_fingerprint: sends.request_fingerprint,
};

const findSend = prepared((bind: Placeholders<{ organizationId: string; id: string }>) => {
  const where = and(eq(sends.id, bind.id), eq(sends.organization_id, bind.organizationId));
  return row(selection, build.select(selection).from(sends).where(where));
});

/** The send that an earlier attempt of a request made. */
export const existingSend = (organizationId: string, id: string): Query<Existing | null> =>
  mapped(findSend({ organizationId, id }), (found) => {
    if (found === null) return null;
    const { request_fingerprint, ...send } = found;
    return { fingerprint: request_fingerprint, answer: { ok: true, ...send } satisfies Send };
  });

/**
 * Records a mail that went out, once, however often it is called. A trigger stamps the deliverable and makes the event.
 * Null: the workspace was erased meanwhile, and with it the deliverable.
 */
export async function recordSend(db: D1Database, record: SendRecord): Promise<Send | null> {
  const recorded = existingSend(record.organizationId, record.id);
  const [, send] = await inTries(() => batch(db, [insertSend({ ...record }), recorded]));
  return send && Send.parse(send.answer);
}
