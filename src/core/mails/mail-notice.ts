import { limits } from "../../contract/limits.ts";
import { batch, run } from "../../db/query.ts";
import { type Mail, type Mailer, sendMail } from "../../platform/mail.ts";
import { countNotice, noticesOfToday, uncountNotice } from "./mails.ts";

/**
 * Sends a notice and counts it. If `isHeldBack` is true and the address has reached its daily limit for notices from
 * all workspaces, the notice is held back and counted in the day's digest (send-digests.ts) instead. Returns the
 * message id; null if the notice was held back.
 */
export async function mailNotice(
  services: { db: D1Database } & Pick<Mailer, "email" | "mailFrom" | "versionPicture">,
  organizationId: string,
  mail: Mail,
  { isHeldBack }: { isHeldBack: boolean },
): Promise<string | null> {
  const { db } = services;
  const [, ofToday] = await batch(db, [countNotice(organizationId, mail.to), noticesOfToday(mail.to)]);
  if (isHeldBack && ofToday > limits.noticesToAddressPerDay) {
    await run(db, uncountNotice(organizationId, mail.to, { isHeld: true }));
    return null;
  }
  try {
    return await sendMail(services, mail);
  } catch (error) {
    await run(db, uncountNotice(organizationId, mail.to, { isHeld: false }));
    throw error;
  }
}
