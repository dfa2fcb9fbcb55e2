import { SendRecord } from "../contract/messages.ts";
import type { Services } from "../core/services.ts";
import { report, withLogIds } from "../platform/log.ts";
import { recordSend } from "../review/sends/record-send.ts";
import { retryDelaySeconds } from "./retry-delay.ts";

/**
 * Consumes the records of sent e-mails. A record is retried until the database accepts it. Recording it twice has no
 * effect (decision 18).
 */
export async function consumeSendRecords(
  messages: MessageBatch<unknown>,
  services: Pick<Services, "db" | "enqueueDueDeliveries">,
): Promise<void> {
  for (const message of messages.messages) {
    const record = SendRecord.safeParse(message.body);
    if (record.success) await recordMessage(message, record.data, services);
    else report({ unreadable_message: message.id }, record.error);
  }
}

const recordMessage = (
  message: Message,
  record: SendRecord,
  services: Pick<Services, "db" | "enqueueDueDeliveries">,
): Promise<void> =>
  withLogIds({ send_id: record.id, deliverable_id: record.deliverableId }, async () => {
    try {
      const send = await recordSend(services.db, record);
      if (send === null) return report({ failed: "record" }, "its workspace was erased");
    } catch (error) {
      report({ failed: "record" }, error);
      return message.retry({ delaySeconds: retryDelaySeconds(message.attempts) });
    }
    await services.enqueueDueDeliveries(record.organizationId);
  });
