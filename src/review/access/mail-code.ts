import { randomInt } from "node:crypto";
import { and, eq, gt, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import type { Context } from "../../core/context.ts";
import { forgetOldForm } from "../../core/ledger/forget-entries.ts";
import { type RequestIdentity, recordChange, removeEntry } from "../../core/ledger/ledger.ts";
import { once } from "../../core/ledger/once.ts";
import { tooManyMails, uncountMail } from "../../core/mails/mails.ts";
import { build, changesRow, insertSelect, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { batch, noQuery } from "../../db/query.ts";
import { hmacBase64Url } from "../../platform/digest.ts";
import { report } from "../../platform/log.ts";
import { sendMail } from "../../platform/mail.ts";
import { codeMail } from "../notices/review-mails.ts";
import { signOffAccess } from "../visits/review.ts";
import type { ReviewClient } from "../visits/review-client.ts";
import { reviewCodes } from "./tables.ts";

/** Hashes a code with a key, because a plain digest of a six-digit code could be reversed by trying all codes. */
export const codeHash = (key: string, codeId: string, code: string): string =>
  hmacBase64Url(key, `review code ${codeId} ${code}`);

/** E-mails a code to the client's stored address. A form submitted twice within a minute sends one code. */
export const mailCode = (
  context: Context<ReviewClient, "db" | "codeKey" | "signInEmail" | "mailFrom">,
): Promise<Refusal | undefined> =>
  once(
    context,
    () => mailNewCode(context),
    async () => undefined,
  );

async function mailNewCode({
  services,
  actor: { review },
  request,
}: Context<ReviewClient, "db" | "codeKey" | "signInEmail" | "mailFrom">): Promise<Refusal | undefined> {
  const { db, codeKey } = services;
  const id = crypto.randomUUID();
  const { clientEmail, organizationId, deliverableId } = review;
  if (clientEmail === null) return refuse("nobody_to_sign_off");
  if (signOffAccess(review) !== "confirm_address") return undefined;
  const code = String(randomInt(10 ** reviewLimits.codeDigits)).padStart(reviewLimits.codeDigits, "0");
  const code_hash = codeHash(codeKey, id, code);
  const kept = await keepCode(db, { id, organizationId, deliverableId, clientEmail, code_hash, request });
  if (kept) return kept;
  const { workspace, title, versionNumber, brand } = review;
  const mail = codeMail(
    { workspace, accent: brand.accent, title, versionNumber, code, minutes: reviewLimits.codeMinutes },
    clientEmail,
  );
  try {
    await sendMail({ ...services, email: services.signInEmail }, mail);
  } catch (error) {
    report({ mailing_code: id }, error);
    // A code that was not sent does not count against the limits.
    const isCode = and(eq(reviewCodes.id, id), eq(reviewCodes.organization_id, organizationId));
    const forgetting = batch(db, [
      statement(build.delete(reviewCodes).where(isCode)),
      uncountMail(organizationId, clientEmail),
      request ? removeEntry(request) : noQuery,
    ]);
    await forgetting.catch((lost) => report({ counting_code: id }, lost));
    return refuse("code_not_mailed");
  }
  return undefined;
}

interface NewCode {
  id: string;
  organizationId: string;
  deliverableId: string;
  clientEmail: string;
  code_hash: string;
  request: RequestIdentity | undefined;
}

/** Stores a code, unless too many were sent to the address within the last hour. */
async function keepCode(db: D1Database, code: NewCode): Promise<Refusal | undefined> {
  const { id, organizationId, deliverableId, clientEmail, code_hash, request } = code;
  const toClient = and(eq(reviewCodes.organization_id, organizationId), eq(reviewCodes.email, clientEmail));
  const lately = and(toClient, gt(reviewCodes.created_at, nowWith("-1 hour")));
  const insert = insertSelect(
    reviewCodes,
    {
      id,
      organization_id: organizationId,
      deliverable_id: deliverableId,
      email: clientEmail,
      code_hash,
      created_at: now,
      expires_at: nowWith(`+${reviewLimits.codeMinutes} minutes`),
    },
    sql`WHERE (SELECT count(*) FROM ${reviewCodes} WHERE ${lately}) < ${reviewLimits.codesPerHour}
      RETURNING id`,
  );
  const entry = request && { ...request, action: "review_code.mailed", subjectId: deliverableId };
  try {
    const [, isKept] = await batch(db, [
      request ? forgetOldForm(request, limits.doubleSubmitSeconds) : noQuery,
      changesRow(insert),
      entry ? recordChange(entry) : noQuery,
    ]);
    return isKept ? undefined : refuse("too_many_codes");
  } catch (error) {
    const refusal = tooManyMails(error, Date.now());
    if (refusal) return refusal;
    throw error;
  }
}
