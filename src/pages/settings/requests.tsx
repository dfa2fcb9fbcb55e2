import * as z from "zod";
import { idInput } from "../../contract/fields.ts";
import { Refusal } from "../../contract/refusal.ts";
import { requestLogLimits } from "../../contract/request-log-limits.ts";
import { ApiRequest } from "../../workspace/request-log/record.ts";
import { ListedToken } from "../../workspace/tokens/record.ts";
import { Badge, type Tone } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Empty, Fold } from "../parts/card.tsx";
import { Field, Select } from "../parts/field.tsx";
import { Choices, Pager } from "../parts/navigation.tsx";
import { Cell, Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { baseOf, type C, operate } from "./page-context.ts";
import { show } from "./responses.tsx";
import { searchOf, timesOf } from "./search.ts";
import { NeedsPlan, SettingsPage } from "./settings-page.tsx";

export const requestsPath = (c: C) => `${baseOf(c)}/requests`;

const pageSize = 25;
const { keptDays } = requestLogLimits;

type Search = Record<string, string>;

export async function showRequests(c: C): Promise<Response> {
  const search = searchOf(c, searchFields);
  const { request_id, ...filters } = search;
  const parsedId = idInput.safeParse(request_id);
  if (parsedId.success) return c.redirect(`${requestsPath(c)}/${parsedId.data}`, 303);
  const fields = { ...timesOf(filters), limit: pageSize + 1 };
  // A malformed id matches no request.
  const found =
    request_id === undefined ? await operate(c, "list-requests", z.array(ApiRequest), fields) : [];
  const tokens = await operate(c, "list-api-tokens", z.array(ListedToken), { limit: 200 });
  const refusal = found instanceof Refusal ? found : undefined;
  const requests = found instanceof Refusal ? [] : found;
  const { cursor: _, ...kept } = filters;
  const last = requests.length > pageSize ? requests[pageSize - 1] : undefined;
  const page = (
    <SettingsPage
      c={c}
      heading="Requests"
      lede={
        `API requests of the last ${keptDays} days. Open one to see what it changed, ` +
        "and which receivers got its events."
      }
      refusal={refusal}
    >
      <Choices
        as="chips"
        label="Outcome"
        choices={answers.map(([status, text]) => ({
          text,
          href: `${requestsPath(c)}${status && `?status=${status}`}`,
          isCurrent: (search.status ?? "") === status,
        }))}
      />
      <ById c={c} id={request_id} />
      <Filters c={c} search={search} tokens={tokens instanceof Refusal ? [] : tokens} />
      {requests.length > 0 ? (
        <RequestTable c={c} requests={requests.slice(0, pageSize)} />
      ) : (
        <None c={c} isFiltered={Object.keys(search).length > 0} />
      )}
      {last && (
        <Pager href={`?${new URLSearchParams({ ...kept, cursor: last.request_id })}`}>Older requests</Pager>
      )}
    </SettingsPage>
  );
  return show(c, page, refusal);
}

const searchFields = ["token", "status", "route", "since", "until", "request_id", "cursor"] as const;

export const StatusBadge = ({ status }: Pick<ApiRequest, "status">) => {
  const tone: Tone = status < 400 ? "good" : status === 429 ? "warn" : "bad";
  return <Badge tone={tone}>{status}</Badge>;
};

/** Describes how often a request was refused, if the entry stands for several. */
const timesText = ({ count = 1 }: ApiRequest): string =>
  count > 1 ? ` · ${count.toLocaleString("en")} times in this minute` : "";

const RequestTable = ({ c, requests }: { c: C; requests: readonly ApiRequest[] }) => (
  <div class="card flush">
    <Table
      label="Requests"
      head={["Request", "Status", "Token", { text: "Took", atEnd: true }, { text: "Arrived", atEnd: true }]}
    >
      {requests.map((request) => (
        <tr>
          <th scope="row">
            <a href={`${requestsPath(c)}/${request.request_id}`}>
              <code>
                {request.method} {request.route.replace("/api-v1/", "/")}
              </code>
            </a>
            {request.error && (
              <small>
                {request.error}
                {timesText(request)}
              </small>
            )}
          </th>
          <Cell phone="lead">
            <StatusBadge status={request.status} />
          </Cell>
          <Cell phone="rest">
            <bdi>{request.token.name}</bdi>
          </Cell>
          <Cell phone="no" atEnd>
            {request.duration_ms} ms
          </Cell>
          <Cell atEnd>
            <Ago at={request.at} />
          </Cell>
        </tr>
      ))}
    </Table>
  </div>
);

const None = ({ c, isFiltered }: { c: C; isFiltered: boolean }) => {
  if (isFiltered)
    return (
      <Empty
        icon="search"
        heading="Nothing found"
        actions={
          <Button kind="quiet" href={requestsPath(c)}>
            Show all requests
          </Button>
        }
      >
        No request of the last {keptDays} days matches these filters.
      </Empty>
    );
  if (!c.get("workspace").api_access) return <NeedsPlan c={c} icon="list" what="Tokens" />;
  return (
    <Empty
      icon="list"
      heading="No requests yet"
      actions={<Button href={`${baseOf(c)}/tokens`}>Go to the tokens</Button>}
    >
      Requests with a token appear here within two seconds.
    </Empty>
  );
};

const answers = [
  ["", "All"],
  ["2xx", "Succeeded"],
  ["4xx", "Refused"],
  ["5xx", "Failed"],
] as const;

/** Finds the request whose id a partner reported. */
const ById = ({ c, id }: { c: C; id: string | undefined }) => (
  <form class="filters narrow" method="get" action={requestsPath(c)}>
    <Field label="Request id" name="request_id" value={id ?? ""} placeholder="X-Request-Id of a response" />
    <Button kind="quiet">Find</Button>
  </form>
);

interface FiltersOptions {
  c: C;
  search: Search;
  tokens: readonly ListedToken[];
}

const Filters = ({ c, search, tokens }: FiltersOptions) => {
  const isFiltered = Object.keys(search).some((name) => !["status", "cursor", "request_id"].includes(name));
  return (
    <Fold summary="Filters" open={isFiltered}>
      <form class="filters" method="get" action={requestsPath(c)}>
        <Select
          label="Token"
          name="token"
          chosen={search.token}
          options={[["", "All"], ...tokens.map(({ id, name }) => [id, name] as const)]}
        />
        <Field
          label="Status"
          name="status"
          required={false}
          value={search.status ?? ""}
          placeholder="404, or 4xx"
        />
        <Field
          label="Route"
          name="route"
          required={false}
          value={search.route ?? ""}
          placeholder="/api-v1/clients"
        />
        <Time label="Since (UTC)" name="since" value={search.since} />
        <Time label="Until (UTC)" name="until" value={search.until} />
        <Button kind="quiet">Search</Button>
        {isFiltered && (
          <Button kind="bare" href={requestsPath(c)}>
            Clear
          </Button>
        )}
      </form>
    </Fold>
  );
};

const Time = ({ label, name, value }: { label: string; name: string; value: string | undefined }) => (
  <Field label={label} name={name} type="datetime-local" required={false} value={value?.slice(0, 16) ?? ""} />
);
