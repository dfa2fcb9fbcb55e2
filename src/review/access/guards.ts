import { sql } from "drizzle-orm";
import type { Statement } from "../../db/trigger.ts";
import { before } from "../../db/trigger.ts";
import { counted, reviewMails } from "../../workspace/mails/counted.ts";
import { reviewCodes, reviewKeys } from "./tables.ts";

export const accessTriggers: readonly Statement[] = [
  before(reviewKeys, "INSERT", "mailed", ({ NEW }) => ({
    when: sql`${NEW.attribution} = 'mailed_link'`,
    do: counted(NEW, reviewMails),
  })),
  before(reviewCodes, "INSERT", "mailed", ({ NEW }) => ({
    when: sql`${NEW.email} <> ''`,
    do: counted(NEW, reviewMails),
  })),
];
