import { html } from "hono/html";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import { type Query, run, statement } from "../../db/query.ts";
import { type Mail, sendMail } from "../../platform/mail.ts";

interface MailingServices {
  db: D1Database;
  email: SendEmail;
  mailFrom: string;
}

interface Notice {
  endpointId: string;
  /** When the circuit breaker opened; a later time is another notice. */
  dueAt: string;
  url: string;
  isEnabledAgain: boolean;
  organizationName: string;
  ownerEmail: string | null;
}

/**
 * Read off the partial index webhook_endpoints_to_notify: nothing but what is to be told. The newest first: those whose
 * mail fails every time hold up no others.
 */
export const dueNotices: Query<Notice[]> = {
  sql: `
SELECT endpoint.id AS endpointId, endpoint.notice_due_at AS dueAt, endpoint.url, endpoint.enabled AS isEnabledAgain,
  organizations.name AS organizationName,
  (SELECT email FROM members WHERE organization_id = endpoint.organization_id AND role = 'owner'
   ORDER BY created_at, rowid LIMIT 1) AS ownerEmail
FROM webhook_endpoints AS endpoint INDEXED BY webhook_endpoints_to_notify
JOIN organizations ON organizations.id = endpoint.organization_id
WHERE endpoint.notice_due_at IS NOT NULL AND endpoint.deleted_at IS NULL
ORDER BY endpoint.notice_due_at DESC LIMIT 50`,
  params: [],
  read: (rows) => rows.map((row) => ({ ...(row as Notice), isEnabledAgain: row.isEnabledAgain === 1 })),
};

/** Whoever claimed a notice and did not settle it by then has died: it may go out twice, never not at all. */
const leaseMinutes = 5;

/** True for one of those who are about to mail it: minutes overlap when mails take long. */
const claimNotice = ({ endpointId, dueAt }: Notice): Query<boolean> => ({
  sql: `UPDATE webhook_endpoints SET notice_leased_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
WHERE id = ? AND notice_due_at = ?
  AND (notice_leased_at IS NULL OR notice_leased_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${leaseMinutes} minutes'))
RETURNING id`,
  params: [endpointId, dueAt],
  read: (rows) => rows.length > 0,
});

const settleNotice = ({ endpointId, dueAt }: Notice, isSent: boolean): Query<void> =>
  statement(
    `UPDATE webhook_endpoints SET notice_leased_at = NULL, notice_due_at = iif(?1 AND notice_due_at = ?2, NULL, notice_due_at)
     WHERE id = ?3`,
    isSent ? 1 : 0,
    dueAt,
    endpointId,
  );

/**
 * Mails the owner of every workspace whose endpoint the circuit breaker disabled, once each time. A mail that fails is tried again
 * with the next call and holds up no other.
 */
export async function notifyOwners(services: MailingServices): Promise<void> {
  const failures: unknown[] = [];
  for (const notice of await run(services.db, dueNotices)) {
    try {
      await notifyOwner(services, notice);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} owners were not notified`);
}

async function notifyOwner({ db, email, mailFrom }: MailingServices, notice: Notice): Promise<void> {
  const { ownerEmail } = notice;
  if (!(await run(db, claimNotice(notice)))) return;
  try {
    if (ownerEmail !== null) await sendMail(email, mailFrom, noticeMail(notice, ownerEmail));
  } catch (error) {
    await run(db, settleNotice(notice, false));
    throw error;
  }
  await run(db, settleNotice(notice, true));
}

function noticeMail({ url, endpointId, isEnabledAgain, organizationName }: Notice, to: string): Mail {
  const lines = [
    `Your webhook endpoint ${url} (workspace ${organizationName}) was disabled:`,
    `${webhookLimits.deadDeliveriesToDisable} deliveries in a row could not be delivered.`,
    "",
    ...(isEnabledAgain
      ? ["An admin has enabled it again since, and what was held meanwhile goes out."]
      : [
          "Nothing is lost. Events are still recorded for it and held, for 30 days, and go out when an admin",
          `enables it again: enable-webhook-endpoint --id ${endpointId}`,
        ]),
    "",
    "What was given up before can be replayed, or read from the API with updated_since.",
  ];
  return {
    fromName: "Webhooks",
    to,
    subject: `Webhook endpoint disabled: ${new URL(url).host}`,
    text: lines.join("\n"),
    html: String(html`<p>${lines.map((line) => html`${line}<br>`)}</p>`),
  };
}
