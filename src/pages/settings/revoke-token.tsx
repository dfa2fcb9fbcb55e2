import { Refusal } from "../../contract/refusal.ts";
import { run } from "../../db/query.ts";
import { findEndpoint } from "../../webhooks/endpoints/read-endpoints.ts";
import type { WebhookEndpoint } from "../../webhooks/endpoints/record.ts";
import { ApiToken, type ListedToken } from "../../workspace/tokens/record.ts";
import { Button } from "../parts/button.tsx";
import { Tick } from "../parts/field.tsx";
import { Ago, When } from "../parts/time.tsx";
import { type C, fieldsOf, operate } from "./page-context.ts";
import { refusedPage, show } from "./responses.tsx";
import { ConfirmPage, SettingsPage } from "./settings-page.tsx";
import { tokenInPath, tokensPath } from "./tokens.tsx";

/** Finds the endpoint that a connected app got together with its token, if it still exists. */
async function endpointOf(c: C, { webhook_endpoint_id: id }: ListedToken): Promise<WebhookEndpoint | null> {
  const endpoint = id && (await run(c.get("services").db, findEndpoint(c.get("workspace").id, id)));
  return endpoint && endpoint.deleted_at === null ? endpoint : null;
}

export async function confirmRevoke(c: C): Promise<Response> {
  const token = await tokenInPath(c);
  if (token instanceof Response) return token;
  const endpoint = await endpointOf(c, token);
  const above = { href: tokensPath(c), text: "Tokens" };
  const page =
    token.revoked_at === null ? (
      <ConfirmPage
        c={c}
        above={above}
        heading={`Revoke ${token.name}?`}
        button="Revoke"
        back={tokensPath(c)}
        isDestructive
        inputs={
          endpoint && (
            <Tick name="with_endpoint" value="true">
              Also delete its webhook endpoint <small>{endpoint.url}</small>
            </Tick>
          )
        }
      >
        <p>
          The next request with <code class="whole">{token.token_prefix}…</code> is refused. This can't be
          undone; what it created stays.
        </p>
        <p class="muted">
          {token.last_used_at === null ? (
            "It was never used."
          ) : (
            <>
              Last used: <Ago at={token.last_used_at} />
            </>
          )}
        </p>
      </ConfirmPage>
    ) : (
      <SettingsPage c={c} above={above} heading={`${token.name} is revoked`}>
        <div class="card narrow">
          <p>
            It was revoked on <When at={token.revoked_at} exact />. Requests with it are refused.
          </p>
          <Button kind="quiet" href={tokensPath(c)}>
            Back to the tokens
          </Button>
        </div>
      </SettingsPage>
    );
  return show(c, page);
}

export async function revoke(c: C): Promise<Response> {
  const { with_endpoint } = await fieldsOf(c);
  const revoked = await operate(c, "revoke-api-token", ApiToken, {
    id: c.req.param("id"),
    ...(with_endpoint !== undefined && { with_endpoint }),
  });
  return revoked instanceof Refusal ? refusedPage(c, revoked) : c.redirect(tokensPath(c), 303);
}
