import { sql } from "drizzle-orm";
import { statement } from "../../db/build.ts";
import { notFenced } from "../../db/fencing.ts";
import { noQuery, type Query } from "../../db/query.ts";
import { memberMails } from "./tables.ts";

/**
 * Stores the message id of an e-mail to a member or an invited person. Does nothing if the e-mail was not sent
 * (`messageId` is null) or the workspace has been fenced in the meantime.
 */
export const saveMemberMail = (
  organizationId: string,
  email: string,
  messageId: string | null,
): Query<unknown> =>
  messageId === null
    ? noQuery
    : statement(sql`INSERT INTO ${memberMails} (organization_id, email, message_id)
        SELECT ${organizationId}, ${email}, ${messageId} WHERE ${notFenced(sql`${organizationId}`)}
        ON CONFLICT DO NOTHING`);
