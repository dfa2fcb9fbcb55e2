import * as z from "zod";
import { noSuch, Refusal, refuse } from "../../contract/refusal.ts";
import { scopeCatalogue } from "../../contract/scopes.ts";
import { ApiToken, ListedToken, MintedToken } from "../../workspace/tokens/record.ts";
import { Badge, Field, When } from "../components.tsx";
import { refusedPage, type Shown, show } from "./answers.tsx";
import { only } from "./search.ts";
import { ConfirmPage, EmptyState, Minute, SecretPage, SettingsPage, Table } from "./settings-page.tsx";
import { baseOf, type C, fieldsOf, operate, textOf } from "./visit.ts";

const pathOf = (c: C) => `${baseOf(c)}/tokens`;

const pageTokens = 100;

export async function showTokens(c: C, given: Shown = {}): Promise<Response> {
  const asked = { ...only(c.req.query(), ["cursor"]), limit: pageTokens + 1 };
  const found = await operate(c, "list-api-tokens", z.array(ListedToken), asked);
  if (found instanceof Refusal) return refusedPage(c, "tokens", found);
  const tokens = found.slice(0, pageTokens);
  const older = found.length > pageTokens ? tokens.at(-1)?.id : undefined;
  const page = (
    <SettingsPage c={c} section="tokens" heading="Tokens" refusal={given.refusal} isLive>
      <EmptyState c={c} isEmpty={tokens.length === 0}>
        There is no token yet. A partner's program needs one to call the API: create it below, with the scopes
        that it needs and no others.
      </EmptyState>
      {tokens.length > 0 && (
        <Table label="Tokens" head={["Name", "Token", "Scopes", "Creator", "Created", "Last use", ""]}>
          {tokens.map((token) => (
            <Row token={token} path={pathOf(c)} written={`${baseOf(c)}/audit-log?token=${token.id}`} />
          ))}
        </Table>
      )}
      {older && <a href={`?${new URLSearchParams({ cursor: older })}`}>Older tokens</a>}
      {c.get("workspace").api_access && <CreateForm c={c} given={given} />}
    </SettingsPage>
  );
  return show(c, page, given.refusal);
}

interface RowOptions {
  token: ListedToken;
  path: string;
  /** Where stands what was written with it. */
  written: string;
}

const Row = ({ token, path, written }: RowOptions) => (
  <tr>
    <th scope="row" id={`token-${token.id}`}>
      <bdi>{token.name}</bdi>
    </th>
    <td>
      <code class="whole">{token.token_prefix}…</code>
    </td>
    <td>{token.scopes.join(", ")}</td>
    <td>{token.creator}</td>
    <td>
      <Minute at={token.created_at} />
    </td>
    <td>
      <Minute at={token.last_used_at} />
      {token.last_used_at !== null && (
        <small>
          <a href={written} aria-describedby={`token-${token.id}`}>
            What it wrote
          </a>
        </small>
      )}
    </td>
    <td>
      {token.revoked_at === null ? (
        <a href={`${path}/${token.id}/revoke`} aria-describedby={`token-${token.id}`}>
          Revoke
        </a>
      ) : (
        <Badge tone="bad">Revoked</Badge>
      )}
    </td>
  </tr>
);

const CreateForm = ({ c, given }: { c: C; given: Shown }) => {
  const asked = given.fields?.scopes;
  const isChosen = (scope: string, isDefault: boolean) =>
    given.fields ? Array.isArray(asked) && asked.includes(scope) : isDefault;
  return (
    <section class="sheet" aria-labelledby="create-heading">
      <h2 id="create-heading">Create a token</h2>
      <form method="post" action={pathOf(c)}>
        <input type="hidden" name="form_id" value={crypto.randomUUID()} />
        <Field label="Name" name="name" maxLength={200} value={textOf(given.fields ?? {}, "name") ?? ""} />
        <fieldset>
          <legend>Scopes</legend>
          {Object.entries(scopeCatalogue).map(
            ([scope, { grants, default_selected, sensitive, grantable }]) => (
              <label class="scope">
                <input
                  type="checkbox"
                  name="scopes"
                  value={scope}
                  checked={grantable && isChosen(scope, default_selected)}
                  disabled={!grantable}
                />
                <span>
                  <code>{scope}</code> {grants}{" "}
                  {sensitive && grantable && <Badge tone="attention">Sensitive</Badge>}
                  {!grantable && <Badge>Not available yet</Badge>}
                </span>
              </label>
            ),
          )}
        </fieldset>
        <p class="muted">Scopes cannot be added later: mint another token.</p>
        <div class="actions">
          <button type="submit">Create token</button>
        </div>
      </form>
    </section>
  );
};

export async function createToken(c: C): Promise<Response> {
  const fields = await fieldsOf(c, ["scopes"]);
  if (fields.scopes === undefined) return showTokens(c, { fields, refusal: refuse("no_scope_chosen") });
  const minted = await operate(c, "create-api-token", MintedToken, fields);
  if (minted instanceof Refusal) return showTokens(c, { fields, refusal: minted });
  return show(
    c,
    <SecretPage
      c={c}
      section="tokens"
      heading="Token created"
      label="Token"
      secret={minted.token}
      back={pathOf(c)}
    >
      <p class="muted">
        {minted.name}: {minted.scopes.join(", ")}
      </p>
    </SecretPage>,
  );
}

export async function askRevoke(c: C): Promise<Response> {
  const id = c.req.param("id") ?? "";
  const found = await operate(c, "list-api-tokens", z.array(ListedToken), { id });
  const token = found instanceof Refusal ? undefined : found[0];
  if (!token) return refusedPage(c, "tokens", noSuch("API token", id));
  const page =
    token.revoked_at === null ? (
      <ConfirmPage
        c={c}
        section="tokens"
        heading="Revoke a token"
        button="Revoke"
        back={pathOf(c)}
        isDestructive
      >
        <p>
          <TokenName token={token} /> is refused from its next call on. This cannot be taken back.
        </p>
      </ConfirmPage>
    ) : (
      <SettingsPage c={c} section="tokens" heading="Revoke a token">
        <div class="sheet">
          <p>
            <TokenName token={token} /> was revoked on <When at={token.revoked_at} exact /> and is refused
            since then.
          </p>
          <a href={pathOf(c)}>Back to the tokens</a>
        </div>
      </SettingsPage>
    );
  return show(c, page);
}

const TokenName = ({ token }: { token: ListedToken }) => (
  <>
    <strong>
      <bdi>{token.name}</bdi>
    </strong>{" "}
    (<code>{token.token_prefix}…</code>)
  </>
);

export async function revoke(c: C): Promise<Response> {
  const revoked = await operate(c, "revoke-api-token", ApiToken, { id: c.req.param("id") });
  return revoked instanceof Refusal ? refusedPage(c, "tokens", revoked) : c.redirect(pathOf(c), 303);
}
