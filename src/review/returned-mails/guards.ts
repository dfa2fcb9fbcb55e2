import { type SQL, sql } from "drizzle-orm";
import { mailEvents, memberMails } from "../../core/mails/tables.ts";
import { fences, isFenced } from "../../db/fencing.ts";
import { notImporting } from "../../db/importing.ts";
import { after, type Rows, type Statement } from "../../db/trigger.ts";
import { invitations, members } from "../../workspace/members/tables.ts";
import { deliverableSends } from "../deliverables/tables.ts";
import { matchAgain } from "./match-again.ts";

/** Builds a statement for each of the two tables with people whom workspaces e-mail. */
const changePeople = (change: (table: typeof members | typeof invitations) => SQL): SQL[] =>
  [members, invitations].map(change);

/** Whether an e-mail with this message id was sent. `rest` adds conditions. */
const isSent = (messageId: SQL, rest = sql``): SQL =>
  sql.join(
    [deliverableSends, memberMails].map(
      (table) => sql`EXISTS (SELECT 1 FROM ${table} AS mail WHERE message_id = ${messageId}${rest})`,
    ),
    sql` OR `,
  );

/**
 * Records the first report about an e-mail and deletes the report. A report waits in its table while no e-mail has its
 * message id, or while the e-mail's workspace is fenced. For a person, only the newest e-mail counts.
 */
const match = ({ NEW }: Rows<typeof mailEvents>) => {
  const problem = sql`json_object('at', ${NEW.at}, 'kind', ${NEW.kind}, 'reason', ${NEW.reason})`;
  return {
    do: [
      sql`UPDATE ${deliverableSends} SET delivery_problem = ${problem}
        WHERE message_id = ${NEW.message_id} AND delivery_problem IS NULL`,
      ...changePeople(
        (table) => sql`UPDATE ${table} SET delivery_problem = ${problem}
          WHERE delivery_problem IS NULL AND (organization_id, email) IN (
            SELECT organization_id, email FROM ${memberMails} AS mail WHERE message_id = ${NEW.message_id}
              AND NOT EXISTS (SELECT 1 FROM ${memberMails} WHERE organization_id = mail.organization_id
                AND email = mail.email AND sent_at > mail.sent_at))`,
      ),
      sql`DELETE FROM ${mailEvents} WHERE message_id = ${NEW.message_id} AND (${isSent(NEW.message_id)})
        AND NOT (${isSent(NEW.message_id, sql` AND ${isFenced(sql`mail.organization_id`)}`)})`,
    ],
  };
};

export const returnedMailsGuards: readonly Statement[] = [
  after(mailEvents, "INSERT", "match", match),
  after(mailEvents, ["received_at"], "match_again", match),
  after(memberMails, "INSERT", "match", ({ NEW }) => ({
    do: [
      ...changePeople(
        (table) => sql`UPDATE ${table} SET delivery_problem = NULL
          WHERE organization_id = ${NEW.organization_id} AND email = ${NEW.email} AND delivery_problem IS NOT NULL`,
      ),
      matchAgain(sql`message_id = ${NEW.message_id}`),
    ],
  })),
  after(fences, "DELETE", "match", ({ OLD }) => ({
    when: notImporting({ organization_id: OLD.id }),
    do: matchAgain(isSent(sql`mail_events.message_id`, sql` AND organization_id = ${OLD.id}`)),
  })),
];
