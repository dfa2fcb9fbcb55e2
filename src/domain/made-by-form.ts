import { type AdminRefusal, deny } from "../contract/admin-refusals.ts";
import { limits } from "../contract/limits.ts";
import { derivedUuid } from "../platform/digest.ts";
import type { AdminContext } from "./audited-change.ts";

/**
 * The id of what is made: of a form, from the form. So a button that is pressed twice makes one thing, and the second
 * answer shows what the first one did. Whoever sends no form makes another one with each call.
 */
export const newId = ({ form }: Pick<AdminContext, "form">): string =>
  form === undefined ? crypto.randomUUID() : derivedUuid("made by form", form);

/** The refusal of a form whose work is older than a minute, or ended: its secret is shown no more. */
export const sentBefore = (madeAt: string, endedAt: string | null = null): AdminRefusal | undefined =>
  endedAt === null && Date.now() - Date.parse(madeAt) <= limits.pressedAgainSeconds * 1000
    ? undefined
    : deny("This form was sent before", "open the page again to send another one");
