import { report } from "../platform/log.ts";
import { readMailEvent } from "../review/returned-mails/mail-report.ts";
import { type ReportServices, recordReports } from "../review/returned-mails/record-reports.ts";
import { retryDelaySeconds } from "./retry-delay.ts";

/**
 * Records the mail service's reports. A message that cannot be parsed is logged and acknowledged. If a batch of
 * reports cannot be recorded, the queue redelivers it. A report that is already recorded is not recorded again.
 */
export async function consumeEmailEvents(
  { messages }: MessageBatch<unknown>,
  services: ReportServices,
): Promise<void> {
  const read = messages.map((message) => ({
    message,
    event: readMailEvent(message.body, message.timestamp),
  }));
  for (const { message, event } of read)
    if (event instanceof Error) report({ unreadable_message: message.id }, event);
  const readable = read.filter(({ event }) => !(event instanceof Error));
  if (readable.length === 0) return;
  const reports = readable.flatMap(({ event }) => (event === null || event instanceof Error ? [] : [event]));
  try {
    await recordReports(services, reports);
  } catch (error) {
    report({ failed: "record mail events" }, error);
    for (const { message } of readable) message.retry({ delaySeconds: retryDelaySeconds(message.attempts) });
  }
}
