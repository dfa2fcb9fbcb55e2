import * as z from "zod";
import { toOneLine } from "../../contract/characters.ts";
import { deliveryProblemKinds } from "../../contract/closed-sets.ts";
import { toInstant } from "../../contract/instants.ts";
import { limits } from "../../contract/limits.ts";
import { bareMessageId, withoutAddresses } from "../../platform/mail.ts";

/** A report that an e-mail bounced after the mail service had accepted it, or was marked as spam. */
export interface MailReport {
  messageId: string;
  kind: (typeof deliveryProblemKinds)[number];
  at: string;
  reason: string | null;
}

/** Removes the angle brackets from a message id; null if it is empty or too long. */
export function messageIdOf(text: string): string | null {
  const id = bareMessageId(text);
  return id === "" || id.length > limits.messageIdCharacters ? null : id;
}

/** Returns a mail server's message, on one line and without addresses. */
export const reasonOf = (text: string | undefined): string | null =>
  [...toOneLine(withoutAddresses(text ?? ""))].slice(0, limits.problemReasonCharacters).join("") || null;

const text = z.string().optional().catch(undefined);
const details = z.object({ reason: text, detail: text, type: text, smtpResponse: text }).partial();
const part = details.optional().catch(undefined);

const prefix = "cf.email.sending.message.";

/** The fields that we read from events in Cloudflare's Email Sending subscription. */
const MailEvent = z.object({
  type: z.string().startsWith(prefix),
  payload: z.object({
    messageId: z.string().transform(messageIdOf).pipe(z.string()),
    terminal: z.boolean().optional().catch(undefined),
    delivery: part,
    bounce: part,
    rejection: part,
    failure: part,
    complaint: part,
  }),
  metadata: z.object({ eventTimestamp: text }).optional().catch(undefined),
});

/** Parses an event. Returns null if it reports no problem, or a problem after which the mail service retries. */
export function readMailEvent(body: unknown, receivedAt: Date): MailReport | null | z.ZodError {
  const event = MailEvent.safeParse(body);
  if (!event.success) return event.error;
  const { type, payload, metadata } = event.data;
  const kind = deliveryProblemKinds.find((each) => type === prefix + each);
  if (kind === undefined || (kind !== "complained" && payload.terminal === false)) return null;
  const { messageId, bounce, rejection, failure, complaint, delivery } = payload;
  const about = { bounced: bounce, rejected: rejection, failed: failure, complained: complaint }[kind];
  return {
    messageId,
    kind,
    at: toInstant(metadata?.eventTimestamp ?? "") ?? receivedAt.toISOString(),
    reason: reasonOf(about?.detail ?? about?.reason ?? delivery?.smtpResponse ?? about?.type),
  };
}
