import { sql } from "drizzle-orm";
import { before, type Statement } from "../../db/trigger.ts";
import { countMail, reviewCodeMails, reviewMails } from "../../workspace/mails/count-mail.ts";
import { reviewCodes, reviewKeys } from "./tables.ts";

export const accessGuards: readonly Statement[] = [
  before(reviewKeys, "INSERT", "mailed", ({ NEW }) => ({
    when: sql`${NEW.attribution} = 'mailed_link'`,
    do: countMail(NEW, reviewMails),
  })),
  before(reviewCodes, "INSERT", "mailed", ({ NEW }) => ({
    when: sql`${NEW.email} <> ''`,
    do: countMail(NEW, reviewCodeMails),
  })),
];
