import type { Send } from "../../contract/resources/send.ts";
import { batch, findById, type Row, statement } from "../../db/query.ts";
import { within } from "../../platform/time-limit.ts";
import type { Authorship } from "../authorship.ts";

/** Why a mail went out and the status did not move with it. */
export const statusWarnings = {
  noStatusFlagged:
    "The e-mail was sent. No status is flagged as on-send, so the status label did not change.",
  signedOffMeanwhile:
    "The e-mail was sent. The deliverable was signed off meanwhile, so its status did not change.",
  newerVersion: "The e-mail was sent. A newer version was added meanwhile; it has not been sent.",
  recordedLater: "The e-mail was sent. Its record is delayed, so the status will change later.",
} as const;

/** A mail that went out. */
export interface SentMail {
  deliverableId: string;
  versionNumber: number;
  message: string | null;
  sentAt: string;
  /** The warning that was answered already; undefined: the database says which one is due. */
  statusWarning?: string | null;
}

/** How often the record is tried, and how long each may take: with the mail before, all end within the claim's lease. */
const triesMs = [4000, 4000, 4000];
const pauseMs = 250;

const insertSql = `
INSERT INTO deliverable_sends (id, organization_id, deliverable_id, version_number, message, status_warning, sent_by,
  request_fingerprint, sent_at)
SELECT ?1, d.organization_id, d.id, ?2, ?3, iif(?4, ?5, iif(d.current_state = 'signed_off', ?6, iif(d.version_number <> ?2, ?7,
  iif(o.on_send_status_label IS NULL, ?8, NULL)))), ?9, ?10, ?11
FROM deliverables d JOIN organizations o ON o.id = d.organization_id
WHERE d.id = ?12 AND d.organization_id = ?13
ON CONFLICT (id) DO NOTHING`;

export const findSend = findById<Row>("deliverable_sends");

export const toSend = (row: Row): Send => ({
  ok: true,
  status_warning: row.status_warning,
  id: row.deliverable_id,
  version_number: row.version_number,
  sent_at: row.sent_at,
});

/** Records a mail that went out, once whatever happens: a trigger stamps the deliverable and makes the event. */
export async function recordSend(db: D1Database, authorship: Authorship, mail: SentMail): Promise<Send> {
  const { id, organizationId, actorId, fingerprint } = authorship;
  const insert = statement(
    insertSql,
    id,
    mail.versionNumber,
    mail.message,
    mail.statusWarning === undefined ? 0 : 1,
    mail.statusWarning ?? null,
    statusWarnings.signedOffMeanwhile,
    statusWarnings.newerVersion,
    statusWarnings.noStatusFlagged,
    actorId,
    fingerprint,
    mail.sentAt,
    mail.deliverableId,
    organizationId,
  );
  let failure: unknown;
  for (const [tried, timeLimitMs] of triesMs.entries()) {
    if (tried > 0) await scheduler.wait(pauseMs);
    try {
      const [, row] = await within(timeLimitMs, batch(db, [insert, findSend(organizationId, id)]));
      if (row) return toSend(row);
      throw new Error("the deliverable of a sent mail is gone");
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
