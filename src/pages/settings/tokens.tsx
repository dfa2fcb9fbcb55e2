import * as z from "zod";
import { noSuch, Refusal } from "../../contract/refusal.ts";
import { requestsByDay } from "../../workspace/request-log/read-usage.ts";
import { ListedToken } from "../../workspace/tokens/record.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Card, Empty, Note } from "../parts/card.tsx";
import { Spark } from "../parts/chart.tsx";
import { CopyField } from "../parts/copy.tsx";
import { Pager } from "../parts/navigation.tsx";
import { Cell, Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { listPage } from "./list-page.ts";
import { baseOf, type C, operate } from "./page-context.ts";
import { recordsOf } from "./permissions.ts";
import { refusedPage, show } from "./responses.tsx";
import { NeedsPlan, SettingsPage } from "./settings-page.tsx";

export const tokensPath = (c: C) => `${baseOf(c)}/tokens`;

const lede = "A token lets one partner's program into this workspace, with the permissions you choose.";

export async function showTokens(c: C): Promise<Response> {
  const [page, uses] = await Promise.all([
    listPage(c, "list-api-tokens", ListedToken),
    requestsByDay(c.get("services"), c.get("workspace").id, usedDays),
  ]);
  if (page instanceof Refusal) return refusedPage(c, page);
  const create = (
    <Button icon="plus" href={`${tokensPath(c)}/new`}>
      Create token
    </Button>
  );
  const { api_access } = c.get("workspace");
  return show(
    c,
    <SettingsPage c={c} heading="Tokens" lede={lede} actions={api_access && page.rows.length > 0 && create}>
      {!api_access && <NeedsPlan c={c} icon="key" what="Tokens" />}
      {page.rows.length > 0 && <TokenTable c={c} tokens={page.rows} uses={uses} />}
      {api_access && page.rows.length === 0 && (
        <Empty icon="key" heading="No tokens yet" actions={create}>
          Create one for each program that should read or write here: a time tracker, your bookkeeping, a
          design tool.
        </Empty>
      )}
      {page.next && <Pager href={`?cursor=${page.next}`}>Older tokens</Pager>}
      <Unused tokens={page.rows} now={new Date()} />
      {page.rows.length > 0 && <ForDevelopers c={c} />}
    </SettingsPage>,
  );
}

/** What every partner needs in addition to a token. */
const ForDevelopers = ({ c }: { c: C }) => (
  <Card
    id="developers"
    heading="For developers"
    aside={
      <a class="small" href="/docs">
        Documentation
      </a>
    }
  >
    <div class="two">
      <CopyField label="Base URL" id="base-url" value={new URL(c.req.url).origin} />
      <CopyField label="apikey" id="apikey" value={c.env.GATEWAY_PUBLIC_KEY} />
    </div>
    <p class="hint">Both are the same for every partner. Neither is a secret.</p>
  </Card>
);

/** The number of days that a row's figures cover. */
const usedDays = 7;

type Uses = Awaited<ReturnType<typeof requestsByDay>>;

const TokenTable = ({ c, tokens, uses }: { c: C; tokens: readonly ListedToken[]; uses: Uses }) => (
  <div class="card flush">
    <Table label="Tokens" head={["Name", "Permissions", "Created by", "Last used", ""]}>
      {tokens.map((token) => (
        <Row c={c} token={token} used={uses.get(token.id)} />
      ))}
    </Table>
  </div>
);

interface RowOptions {
  c: C;
  token: ListedToken;
  used: readonly number[] | undefined;
}

const Row = ({ c, token, used }: RowOptions) => (
  <tr>
    <th scope="row" id={`token-${token.id}`}>
      <bdi>{token.name}</bdi>
      <small>
        <code class="whole">{token.token_prefix}…</code>
      </small>
      {token.connected_app && (
        <small>
          <Badge tone="link">Connected app</Badge> <bdi>{token.connected_app}</bdi>
        </small>
      )}
    </th>
    <Cell phone="line">
      <Permissions scopes={token.scopes} />
      {token.allowed_ips && <small>Allowed addresses: {token.allowed_ips.join(", ")}</small>}
    </Cell>
    <Cell phone="no">
      {token.creator}
      <small>
        <Ago at={token.created_at} />
      </small>
    </Cell>
    <Cell label="Last used">
      <Ago at={token.last_used_at} />
      {used && <Used days={used} />}
      <Expiry token={token} />
    </Cell>
    <Cell atEnd>
      <div class="actions">
        <Button
          kind="bare"
          size="slim"
          href={`${baseOf(c)}/audit-log?token=${token.id}`}
          aria-describedby={`token-${token.id}`}
        >
          Activity
        </Button>
        {hasEnded(token) ? (
          <Badge>{token.revoked_at === null ? "Expired" : "Revoked"}</Badge>
        ) : (
          <>
            <Button
              kind="bare"
              size="slim"
              href={`${tokensPath(c)}/${token.id}/addresses`}
              aria-describedby={`token-${token.id}`}
            >
              Addresses
            </Button>
            <Button
              kind="bare"
              size="slim"
              href={`${tokensPath(c)}/${token.id}/roll`}
              aria-describedby={`token-${token.id}`}
            >
              Roll
            </Button>
            <Button
              kind="bad-quiet"
              size="slim"
              href={`${tokensPath(c)}/${token.id}/revoke`}
              aria-describedby={`token-${token.id}`}
            >
              Revoke
            </Button>
          </>
        )}
      </div>
    </Cell>
  </tr>
);

const Used = ({ days }: { days: readonly number[] }) => {
  const requests = days.reduce((sum, count) => sum + count, 0);
  return (
    <small>
      {requests.toLocaleString("en-GB")} {requests === 1 ? "request" : "requests"} in {usedDays} days
      <Spark values={days} />
    </small>
  );
};

/** Whether a token is revoked or expired. */
export const hasEnded = ({ revoked_at, expires_at }: Pick<ListedToken, "revoked_at" | "expires_at">) =>
  revoked_at !== null || (expires_at !== null && Date.parse(expires_at) <= Date.now());

const soonMs = 14 * 86_400_000;

const Expiry = ({ token: { expires_at, revoked_at } }: { token: ListedToken }) => {
  if (expires_at === null || revoked_at !== null) return null;
  const leftMs = Date.parse(expires_at) - Date.now();
  const words = (
    <>
      {leftMs > 0 ? "Expires" : "Expired"} <Ago at={expires_at} />
    </>
  );
  return <small>{leftMs > 0 && leftMs <= soonMs ? <Badge tone="warn">{words}</Badge> : words}</small>;
};

/** Summarizes how much a token can do and on which records. Sending e-mails has a separate badge. */
const Permissions = ({ scopes }: { scopes: readonly string[] }) => {
  const counts = (["read", "write"] as const)
    .map((kind) => [scopes.filter((scope) => scope.endsWith(":read") === (kind === "read")).length, kind])
    .filter(([count]) => count !== 0)
    .map((pair) => pair.join(" "));
  return (
    <>
      <span title={scopes.join(", ")}>{counts.join(", ")}</span>{" "}
      {scopes.includes("deliverable:send") && <Badge tone="warn">E-mails your clients</Badge>}
      <small>{recordsOf(scopes, ["read", "write"])}</small>
    </>
  );
};

const unusedDays = 90;

/** Suggests revoking unused tokens. */
const Unused = ({ tokens, now }: { tokens: readonly ListedToken[]; now: Date }) => {
  const before = new Date(now.getTime() - unusedDays * 86_400_000).toISOString();
  const unused = tokens.filter(
    (token) => !hasEnded(token) && (token.last_used_at ?? token.created_at) < before,
  );
  if (unused.length === 0) return null;
  const [first] = unused;
  return (
    <Note
      heading={
        unused.length === 1 ? (
          <>
            <bdi>{first?.name}</bdi> hasn't been used for {unusedDays} days
          </>
        ) : (
          `${unused.length} tokens haven't been used for ${unusedDays} days`
        )
      }
    >
      <p>Revoke tokens that are no longer used.</p>
    </Note>
  );
};

/** Finds the token in the path, or returns a page that says it doesn't exist. */
export async function tokenInPath(c: C): Promise<ListedToken | Response> {
  const id = c.req.param("id") ?? "";
  const found = await operate(c, "list-api-tokens", z.array(ListedToken), { id });
  const token = found instanceof Refusal ? undefined : found[0];
  return token ?? refusedPage(c, noSuch("API token", id));
}
