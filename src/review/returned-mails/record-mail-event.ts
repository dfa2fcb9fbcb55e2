import { bareMessageId } from "../../platform/mail.ts";
import { type MailReport, reasonOf } from "./mail-report.ts";
import type { MailEventRecord } from "./record.ts";
import { type ReportServices, recordReports } from "./record-reports.ts";

/** Records a report submitted by an operator, for mail services that do not send reports to the queue. */
export async function recordMailEvent(
  services: ReportServices,
  {
    message_id,
    kind,
    reason,
  }: Pick<MailReport, "kind"> & { message_id: string; reason?: string | undefined },
): Promise<MailEventRecord> {
  const given = { messageId: bareMessageId(message_id), kind, reason: reasonOf(reason) };
  const [mail] = await recordReports(services, [{ ...given, at: new Date().toISOString() }]);
  return {
    id: given.messageId,
    message_id: given.messageId,
    kind,
    reason: given.reason,
    matched: mail !== undefined,
    organization_id: mail?.organization_id ?? null,
    deliverable_id: mail?.deliverable_id ?? null,
  };
}
