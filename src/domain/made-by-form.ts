import { type AdminRefusal, deny } from "../contract/admin-refusals.ts";
import { limits } from "../contract/limits.ts";
import { derivedUuid } from "../platform/digest.ts";
import type { AdminContext } from "./audited-change.ts";

/**
 * The id of a new record. A form gives the same id each time it is sent, so a button pressed twice makes one record and
 * the second answer shows it. A call without a form makes another record.
 */
export const newId = ({ form }: Pick<AdminContext, "form">): string =>
  form === undefined ? crypto.randomUUID() : derivedUuid("made by form", form);

/** The refusal of a repeated form whose record is older than a minute or has ended: its secret is not shown again. */
export const sentBefore = (madeAt: string, endedAt: string | null = null): AdminRefusal | undefined =>
  endedAt === null && Date.now() - Date.parse(madeAt) <= limits.pressedAgainSeconds * 1000
    ? undefined
    : deny("This form was sent before", "open the page again to send another one");
