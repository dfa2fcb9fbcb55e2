import { and, asc, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { authorizePath } from "../../contract/connect-paths.ts";
import { limits } from "../../contract/limits.ts";
import { sessionLimits } from "../../contract/session-limits.ts";
import { composeMail } from "../../core/mails/compose-mail.ts";
import type { Services } from "../../core/services.ts";
import { build, insertSelect, row, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { run } from "../../db/query.ts";
import { type Mail, sendMail } from "../../platform/mail.ts";
import { newSecret, secretHash } from "../../platform/secret.ts";
import { members } from "../members/tables.ts";
import { isAdminAddress } from "./admins.ts";
import { signInLinks as table } from "./tables.ts";

/**
 * E-mails a sign-in link to an admin, at the address as it is spelled in the workspace. Other addresses get
 * nothing. The number of links is limited, and a form that is submitted twice in a short time sends one link. Runs
 * after the response, which is the same for every address. `return_path` is stored with the link, not e-mailed.
 */
export async function mailSignInLink(
  services: Pick<Services, "db" | "signInEmail" | "mailFrom" | "applicationUrl">,
  address: string,
  { return_path, form_id }: { return_path: string | null; form_id: string | null },
): Promise<void> {
  const { db, applicationUrl } = services;
  const secret = newSecret();
  const token_hash = secretHash(secret);
  const ofForm = sql`${table.email} = ${address} AND ${table.form_id} = ${form_id}
    AND ${gt(table.created_at, nowWith(`-${limits.doubleSubmitSeconds} seconds`))}`;
  const expires_at = nowWith(`+${sessionLimits.linkMinutes} minutes`);
  const made = insertSelect(
    table,
    { token_hash, email: sql`${members.email}`, expires_at, form_id, ...leadingTo(return_path) },
    sql`FROM ${members} WHERE ${isAdminAddress(address)} AND ${hasRoom(address)}
      AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${ofForm})
      ORDER BY ${asc(members.created_at)} LIMIT 1 RETURNING email`,
  );
  const link = await run(db, row({ email: table.email }, made));
  if (!link) return;
  try {
    const url = `${applicationUrl}/sign-in/${secret}`;
    await sendMail(
      { ...services, email: services.signInEmail },
      linkMail(services.mailFrom.name, url, link.email),
    );
  } catch (error) {
    // A link that could not be sent does not count against the limit.
    await run(db, statement(build.delete(table).where(eq(table.token_hash, token_hash))));
    throw error;
  }
}

/** Returns the columns that store a return path. For an app's request to connect, only its query is stored. */
const leadingTo = (path: string | null) =>
  path?.startsWith(`${authorizePath}?`)
    ? { return_path: null, connect_query: path.slice(authorizePath.length + 1) }
    : { return_path: path, connect_query: null };

/** Whether another link may be sent to the address. */
function hasRoom(address: string): SQL {
  const unexpired = and(eq(table.email, address), gt(table.expires_at, now));
  const live = and(unexpired, isNull(table.used_at));
  const recent = and(
    eq(table.email, address),
    gt(table.created_at, nowWith(`-${sessionLimits.minutesToOneMore} minutes`)),
  );
  return sql`((SELECT count(*) FROM ${table} WHERE ${unexpired}) < ${sessionLimits.linksAtATime}
    OR NOT EXISTS (SELECT 1 FROM ${table} WHERE ${live}) AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${recent}))`;
}

const linkMail = (serviceName: string, url: string, to: string): Mail => ({
  fromName: null,
  to,
  ...composeMail(`Sign in to ${serviceName}`, {
    from: null,
    preheader: `Your link works once, for ${sessionLimits.linkMinutes} minutes.`,
    heading: "Sign in",
    parts: [{ paragraph: "Someone, hopefully you, asked to sign in with this address." }],
    button: { text: "Sign in", url },
    notes: [
      `The link works once, for ${sessionLimits.linkMinutes} minutes. Never share it.`,
      "If you didn't request it, ignore this e-mail: no one can sign in without the link.",
    ],
    reason: "You received this e-mail because someone entered your address on the sign-in page.",
  }),
});
