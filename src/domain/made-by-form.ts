import { type AdminRefusal, deny } from "../contract/admin-refusals.ts";
import { limits } from "../contract/limits.ts";
import { derivedUuid, hmacBase64Url } from "../platform/digest.ts";
import type { AdminContext } from "./audited-change.ts";

/**
 * What a form makes has its id and its secret from the form: a button that is pressed twice makes one thing, and the
 * second answer shows what the first one did. Whoever sends no form makes another one with each call.
 */
type Sent = Pick<AdminContext, "form">;

export const newId = ({ form }: Sent): string =>
  form === undefined ? crypto.randomUUID() : derivedUuid("made by form", form);

/** Bytes that nobody can guess, 32 at most; of a form, its `key` stands between them and who knows the form. */
export const unguessableBytes = ({ form }: Sent, key: string, bytes: number): Buffer =>
  form === undefined
    ? Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)))
    : Buffer.from(hmacBase64Url(key, `secret made by form ${form}`), "base64url").subarray(0, bytes);

/** The refusal of a form whose work is older than a minute, or ended: its secret is shown no more. */
export const sentBefore = (
  madeAt: string | null,
  endedAt: string | null = null,
): AdminRefusal | undefined => {
  const ageMs = Date.now() - Date.parse(madeAt ?? "");
  return endedAt === null && ageMs <= limits.pressedAgainSeconds * 1000
    ? undefined
    : deny("This form was sent before", "open the page again to send another one");
};
