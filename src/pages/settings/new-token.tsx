import type { Child } from "hono/jsx";
import { Refusal, refuse } from "../../contract/refusal.ts";
import { type Scope, scopeCatalogue } from "../../contract/scopes.ts";
import { CreatedToken } from "../../workspace/tokens/record.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Code, CopyField } from "../parts/copy.tsx";
import { Field, FieldError, Select } from "../parts/field.tsx";
import { Facts } from "../parts/figures.tsx";
import { When } from "../parts/time.tsx";
import { type C, fieldsOf, operate, refuseForm, textField } from "./page-context.ts";
import { permissionsByRecord, presets, recordsOf } from "./permissions.ts";
import { fieldErrors, type RefusedForm, refilledField, show } from "./responses.tsx";
import { CopyNow, FormId, NeedsPlan, SettingsPage } from "./settings-page.tsx";
import { AddressesField, addressesIn, addressLabels } from "./token-addresses.tsx";
import { tokensPath } from "./tokens.tsx";

const labels = {
  name: "Name",
  scopes: "Permissions",
  expires_in_days: "Expires",
  ...addressLabels,
} as const;

const expiries = [
  ["", "Never"],
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
] as const;

const lede = "Give each partner its own token, so that you can revoke one without the others.";
const aboveOf = (c: C) => ({ href: tokensPath(c), text: "Tokens" });

export function showNewToken(c: C, given: RefusedForm = {}): Promise<Response> {
  const errors = fieldErrors(given, labels);
  const page = (
    <SettingsPage
      c={c}
      above={aboveOf(c)}
      heading="Create a token"
      lede={lede}
      refusal={errors.size > 0 ? undefined : given.refusal}
    >
      {c.get("workspace").api_access ? (
        <ol class="steps">
          <Presets c={c} isChosen={!given.fields} />
          <li>
            <form class="form" method="post" action={tokensPath(c)}>
              <FormId />
              <div class="narrow">
                <Field
                  label="Name"
                  name="name"
                  maxLength={200}
                  hint="Shown with its requests and in the activity."
                  {...refilledField(given, errors, "name")}
                />
              </div>
              <Permissions chosen={chosenScopes(c, given)} error={errors.get("scopes")} />
              <div class="narrow">
                <Select
                  label="Expires"
                  name="expires_in_days"
                  options={expiries}
                  chosen={textField(given.fields ?? {}, "expires_in_days")}
                  error={errors.get("expires_in_days")}
                  hint="We e-mail you and the owner 14 days and 3 days before."
                />
              </div>
              <div class="narrow">
                <AddressesField c={c} given={given} errors={errors} />
              </div>
              <p class="hint">The token is shown once, on the next page. Permissions can't be added later.</p>
              <div class="actions">
                <Button>Create token</Button>
                <Button kind="bare" href={tokensPath(c)}>
                  Cancel
                </Button>
              </div>
            </form>
          </li>
        </ol>
      ) : (
        <NeedsPlan c={c} icon="key" what="Tokens" />
      )}
    </SettingsPage>
  );
  return show(c, page, given.refusal);
}

const presetOf = (c: C) => presets.find(({ id }) => id === c.req.query("preset")) ?? presets[0];

function chosenScopes(c: C, { fields }: RefusedForm): readonly unknown[] {
  if (!fields) return presetOf(c).scopes;
  return Array.isArray(fields.scopes) ? fields.scopes : [];
}

const Presets = ({ c, isChosen }: { c: C; isChosen: boolean }) => (
  <li>
    <nav class="picks" aria-label="Start from">
      {presets.map(({ id, name, does, scopes }) => (
        <a
          href={`${tokensPath(c)}/new?preset=${id}`}
          data-scopes={scopes.join(" ")}
          aria-current={isChosen && id === presetOf(c).id ? "true" : undefined}
        >
          <strong>{name}</strong>
          <small>{does}</small>
        </a>
      ))}
    </nav>
  </li>
);

const Permissions = ({ chosen, error }: { chosen: readonly unknown[]; error: string | undefined }) => (
  <fieldset class="field" aria-describedby={error ? "scopes-error" : undefined}>
    <legend class="label">Permissions</legend>
    <div class="scopes">
      <div class="scopes-head" aria-hidden="true">
        <span>Record</span>
        <span>Read</span>
        <span>Write</span>
      </div>
      {permissionsByRecord.map(({ name, read, write }) => (
        <div>
          <h2>{name}</h2>
          {[read, write].map((permissions) => (
            <div>
              {permissions.map(({ scope, does, of }) => (
                <Permission {...{ scope, does, of }} isChosen={chosen.includes(scope)} />
              ))}
            </div>
          ))}
        </div>
      ))}
    </div>
    {error && <FieldError id="scopes-error">{error}</FieldError>}
  </fieldset>
);

interface PermissionOptions {
  scope: Scope;
  does: string;
  of: string;
  isChosen: boolean;
}

const Permission = ({ scope, does, of, isChosen }: PermissionOptions) => {
  const { grantable, sensitive } = scopeCatalogue[scope];
  return (
    <label class="check">
      <input
        type="checkbox"
        name="scopes"
        value={scope}
        checked={grantable && isChosen}
        disabled={!grantable}
      />
      <span>
        {does} <span class="unseen">{of}</span>
        {sensitive && grantable && <Badge tone="warn">E-mails your clients</Badge>}
        {!grantable && <Badge>Not available yet</Badge>}
        <code>{scope}</code>
      </span>
    </label>
  );
};

export async function postToken(c: C): Promise<Response> {
  const fields = await fieldsOf(c, ["scopes"]);
  const input = { ...fields, allowed_ips: addressesIn(fields) };
  if (fields.scopes === undefined) {
    const other = refuseForm("create-api-token", input);
    return showNewToken(c, { fields, refusal: refuse("no_scope_chosen"), others: other ? [other] : [] });
  }
  const created = await operate(c, "create-api-token", CreatedToken, input);
  return created instanceof Refusal ? showNewToken(c, { fields, refusal: created }) : handOver(c, created);
}

/** Shows a new token with everything that a partner needs for a first call. */
export function handOver(c: C, created: CreatedToken, heading = "Token created"): Promise<Response> {
  const baseUrl = new URL(c.req.url).origin;
  const apikey = c.env.GATEWAY_PUBLIC_KEY;
  const facts: [string, Child][] = [];
  for (const kind of ["read", "write"] as const) {
    const records = recordsOf(created.scopes, [kind]);
    if (records !== "") facts.push([`Can ${kind}`, records]);
  }
  if (created.expires_at) facts.push(["Expires", <When at={created.expires_at} />]);
  if (created.allowed_ips) facts.push([addressLabels.allowed_ips, created.allowed_ips.join(", ")]);
  return show(
    c,
    <SettingsPage
      c={c}
      above={aboveOf(c)}
      heading={heading}
      lede={
        <>
          Give these three values to the partner who connects <bdi>{created.name}</bdi>: their first call
          takes a minute.
        </>
      }
    >
      <CopyNow what="token">Lost it? Create another one and revoke this.</CopyNow>
      <div class="two">
        <section class="card">
          <CopyField
            label="Token"
            id="token"
            value={created.token}
            hint="Secret. Send it through a password manager, not by e-mail."
          />
          <CopyField label="Base URL" id="base-url" value={baseUrl} />
          <CopyField
            label="apikey"
            id="apikey"
            value={apikey}
            hint="The same for all partners; not a secret."
          />
          <Facts facts={facts} />
        </section>
        <div class="stack">
          <Code title="A first call" id="curl">
            {curlOf(baseUrl, apikey, created.token)}
          </Code>
          <p class="hint">
            It returns the token's permissions. <a href="/docs">The documentation</a> shows what comes next.
          </p>
        </div>
      </div>
      <Button href={tokensPath(c)}>Done</Button>
    </SettingsPage>,
  );
}

/** Builds a shell command for a call that every token can make. */
const curlOf = (baseUrl: string, apikey: string, token: string): string =>
  [`curl ${baseUrl}/api-v1/token`, `-H 'apikey: ${apikey}'`, `-H 'Authorization: Bearer ${token}'`].join(
    " \\\n  ",
  );
