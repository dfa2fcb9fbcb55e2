import { sql } from "drizzle-orm";
import { countMail, reviewCodeMails, reviewMails } from "../../core/mails/count-mail.ts";
import { before, type Statement } from "../../db/trigger.ts";
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
