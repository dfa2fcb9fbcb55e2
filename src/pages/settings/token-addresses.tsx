import { limits } from "../../contract/limits.ts";
import { Refusal } from "../../contract/refusal.ts";
import { addressOf } from "../../http/sender-of.ts";
import { canonicalAddress } from "../../workspace/tokens/allowed-addresses.ts";
import { ApiToken } from "../../workspace/tokens/record.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { type C, fieldsOf, operate, textField } from "./page-context.ts";
import { type FieldErrors, fieldErrors, type RefusedForm, refilledField, show } from "./responses.tsx";
import { SettingsPage } from "./settings-page.tsx";
import { tokenInPath, tokensPath } from "./tokens.tsx";

/** The IP addresses from which a token may be used (contract A22). */

export const addressLabels = { allowed_ips: "Allowed addresses" } as const;

interface AddressesOptions {
  c: C;
  given: RefusedForm;
  errors: FieldErrors;
}

/** Shows admins their own IP address, which programs on the same network also use. */
export const AddressesField = ({ c, given, errors }: AddressesOptions) => (
  <Field
    label={addressLabels.allowed_ips}
    name="allowed_ips"
    rows={3}
    required={false}
    hint={
      <>
        Up to {limits.allowedAddresses} addresses or CIDR ranges, one per line. Leave it empty to allow every
        address. Your own address is now <code>{canonicalAddress(addressOf(c.req.raw.headers))}</code>.
      </>
    }
    {...refilledField(given, errors, "allowed_ips")}
  />
);

/** Parses addresses separated by lines, spaces or commas; undefined if the field is empty. */
export const addressesIn = (fields: Record<string, unknown>): string[] | undefined =>
  textField(fields, "allowed_ips")
    ?.split(/[\s,]+/)
    .filter((entry) => entry !== "");

export async function showAddresses(c: C, given?: RefusedForm): Promise<Response> {
  const token = await tokenInPath(c);
  if (token instanceof Response) return token;
  const shown = given ?? { fields: { allowed_ips: token.allowed_ips?.join("\n") ?? "" } };
  const errors = fieldErrors(shown, addressLabels);
  const page = (
    <SettingsPage
      c={c}
      above={{ href: tokensPath(c), text: "Tokens" }}
      heading={`Allowed addresses of ${token.name}`}
      lede="Starting with the next request, all other addresses are rejected."
      refusal={errors.size > 0 ? undefined : shown.refusal}
    >
      <div class="card narrow">
        <form class="form" method="post" action={c.req.path}>
          <AddressesField c={c} given={shown} errors={errors} />
          <div class="actions">
            <Button>Save addresses</Button>
            <Button kind="quiet" href={tokensPath(c)}>
              Cancel
            </Button>
          </div>
        </form>
      </div>
    </SettingsPage>
  );
  return show(c, page, shown.refusal);
}

export async function saveAddresses(c: C): Promise<Response> {
  const fields = await fieldsOf(c);
  const changes = { id: c.req.param("id"), allowed_ips: addressesIn(fields) ?? "none" };
  const saved = await operate(c, "set-token-addresses", ApiToken, changes);
  return saved instanceof Refusal
    ? showAddresses(c, { fields, refusal: saved })
    : c.redirect(tokensPath(c), 303);
}
