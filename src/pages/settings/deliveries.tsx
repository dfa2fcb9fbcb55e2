import * as z from "zod";
import { deliveryStatuses } from "../../contract/closed-sets.ts";
import { Refusal } from "../../contract/refusal.ts";
import { replayLimits } from "../../contract/webhook-limits.ts";
import { batch } from "../../db/query.ts";
import { type DeliveryOutcome, outcomesOf } from "../../webhooks/deliveries/read-outcomes.ts";
import { WebhookDelivery } from "../../webhooks/deliveries/record.ts";
import { listEndpointsAnd } from "../../webhooks/endpoints/read-endpoints.ts";
import type { WebhookEndpoint } from "../../webhooks/endpoints/record.ts";
import { eventNames } from "../../webhooks/events.ts";
import { testEvent } from "../../webhooks/test-event.ts";
import { Button } from "../parts/button.tsx";
import { Empty, Fold, Note } from "../parts/card.tsx";
import { Field, Select } from "../parts/field.tsx";
import { Choices, Pager } from "../parts/navigation.tsx";
import { DeliveryTable, eventLabel, isSending } from "./delivery-table.tsx";
import { baseOf, type C, operate } from "./page-context.ts";
import { show } from "./responses.tsx";
import { deliveryFields, pick, searchOf, timesOf } from "./search.ts";
import { NeedsPlan, SettingsPage } from "./settings-page.tsx";

/** Few enough to scroll through on a phone. */
const pageSize = 25;

type Search = Record<string, string>;
type Endpoints = ReadonlyMap<string, WebhookEndpoint>;

export const deliveriesPath = (c: C) => `${baseOf(c)}/deliveries`;

export async function showDeliveries(c: C): Promise<Response> {
  const search = searchOf(c, deliveryFields);
  const found = await find(c, search);
  const { endpoints, outcomes } = await detailsOf(c, search, found.deliveries);
  const { cursor: _, ...filter } = search;
  const page = (
    <SettingsPage
      c={c}
      heading="Deliveries"
      lede="Every event sent to an endpoint in the last 30 days."
      actions={mayReplay(c, search, endpoints) && <ReplayLink c={c} search={search} />}
      refusal={found.refusal}
    >
      <Replayed count={c.req.query("replayed")} />
      <Choices
        as="chips"
        label="State"
        choices={[undefined, ...deliveryStatuses].map((status) => ({
          text: status ? statusNames[status] : "All",
          href: hrefOf(c, {
            ...pick(filter, ["endpoint", "event", "since", "until", "subject_id", "http_status"]),
            status,
          }),
          isCurrent: search.status === status,
        }))}
      />
      <Filters c={c} search={search} endpoints={endpoints} />
      <Results {...{ c, search, found, endpoints, outcomes }} />
      {found.next && (
        <Pager href={`?${new URLSearchParams({ ...filter, cursor: found.next })}`}>Older deliveries</Pager>
      )}
    </SettingsPage>
  );
  return show(c, page, found.refusal);
}

const statusNames = { pending: "Waiting", delivered: "Delivered", dead: "Gave up" } as const;

const hrefOf = (c: C, search: Record<string, string | undefined>): string => {
  const given = Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${deliveriesPath(c)}${given.length > 0 ? "?" : ""}${new URLSearchParams(given)}`;
};

/** The results of a search. `next` is the cursor for older results, `nothing` the text for an empty result. */
interface Found {
  deliveries: readonly WebhookDelivery[];
  refusal: Refusal | undefined;
  next: string | undefined;
  nothing: string;
}

async function find(c: C, search: Search): Promise<Found> {
  const fields = { ...timesOf(search), limit: pageSize };
  const found = await operate(c, "list-webhook-deliveries", z.array(WebhookDelivery), fields);
  if (found instanceof Refusal) {
    // A search that ended early returns where to continue.
    const next = /^cursor=(.+)/.exec(found.hint ?? "")?.[1];
    return next
      ? { deliveries: [], refusal: undefined, next, nothing: `${found.text}.` }
      : { deliveries: [], refusal: found, next, nothing: "Correct the filters to search again." };
  }
  const { cursor: _, ...filter } = search;
  const { status } = filter;
  const mayEndEarly = Object.keys(filter).length > 1 || status === "delivered" || status === "pending";
  const next = found.length === pageSize || mayEndEarly ? found.at(-1)?.id : undefined;
  return { deliveries: found, refusal: undefined, next, nothing: "No delivery matches these filters." };
}

interface Details {
  /** The workspace's endpoints by id, including deleted ones that the page mentions. */
  endpoints: Endpoints;
  outcomes: readonly DeliveryOutcome[];
}

async function detailsOf(c: C, search: Search, deliveries: readonly WebhookDelivery[]): Promise<Details> {
  const ids = new Set([search.endpoint ?? "", ...deliveries.map(({ endpoint_id }) => endpoint_id)]);
  const organizationId = c.get("workspace").id;
  const [endpoints, outcomes] = await batch(c.get("services").db, [
    listEndpointsAnd(organizationId, [...ids]),
    outcomesOf(
      organizationId,
      deliveries.map(({ id }) => id),
    ),
  ]);
  return { endpoints: new Map(endpoints.map((endpoint) => [endpoint.id, endpoint])), outcomes };
}

/** Whether a replay would cover the same deliveries as the search and would be accepted. */
function mayReplay(
  c: C,
  { endpoint: id = "", event, subject_id, http_status, status = "dead" }: Search,
  endpoints: Endpoints,
): boolean {
  const endpoint = endpoints.get(id);
  const isReady = endpoint?.enabled && !endpoint.deleted_at && c.get("workspace").api_access;
  return Boolean(isReady) && status === "dead" && !event && !subject_id && !http_status;
}

const ReplayLink = ({ c, search }: { c: C; search: Search }) => (
  <Button
    kind="quiet"
    icon="refresh"
    href={`${deliveriesPath(c)}/replay?${new URLSearchParams(pick(search, ["endpoint", "since", "until"]))}`}
  >
    Replay deliveries
  </Button>
);

/** Anyone can edit the URL, so this checks that it contains a number. */
const Replayed = ({ count = "" }: { count: string | undefined }) =>
  /^\d+$/.test(count) ? (
    <Note tone="good" role="status">
      <p>
        {count === "1"
          ? "1 delivery is being sent again."
          : `${count} deliveries are being sent again, about ${replayLimits.perSecond} per second.`}
      </p>
    </Note>
  ) : null;

interface ResultsOptions extends Details {
  c: C;
  search: Search;
  found: Found;
}

const Results = ({ c, search, found: { deliveries, nothing }, endpoints, outcomes }: ResultsOptions) => {
  if (deliveries.length === 0) return <None c={c} search={search} nothing={nothing} />;
  const mayBeAnyones = search.endpoint === undefined && endpoints.size > 1;
  return (
    <section
      class="card flush"
      aria-label="Found"
      data-live={deliveries.some(isSending) ? "waiting" : "done"}
    >
      <DeliveryTable {...{ c, deliveries, outcomes, endpoints: mayBeAnyones ? endpoints : undefined }} />
    </section>
  );
};

const None = ({ c, search, nothing }: { c: C; search: Search; nothing: string }) => {
  if (Object.keys(search).length > 0)
    return (
      <Empty
        icon="search"
        heading="Nothing found"
        actions={
          <Button kind="quiet" href={deliveriesPath(c)}>
            Show all deliveries
          </Button>
        }
      >
        {nothing}
      </Empty>
    );
  if (!c.get("workspace").api_access) return <NeedsPlan c={c} icon="send" what="Webhooks" />;
  return (
    <Empty
      icon="send"
      heading="No deliveries yet"
      actions={<Button href={`${baseOf(c)}/webhooks`}>Go to the endpoints</Button>}
    >
      Send a test to an endpoint, or wait for an event.
    </Empty>
  );
};

const Filters = ({ c, search, endpoints }: Pick<ResultsOptions, "c" | "search" | "endpoints">) => {
  const isFiltered = Object.keys(search).some((name) => name !== "status" && name !== "cursor");
  const chosen = search.endpoint === undefined ? undefined : endpoints.get(search.endpoint);
  return (
    <Fold summary="Filters" open={isFiltered}>
      <form class="filters" method="get" action={deliveriesPath(c)}>
        {search.status && <input type="hidden" name="status" value={search.status} />}
        <Select
          label="Endpoint"
          name="endpoint"
          chosen={search.endpoint}
          options={[
            ["", "All"],
            ...[...endpoints.values()].map((one) => [one.id, nameOf(one)] as const),
            ...(search.endpoint && !chosen ? [[search.endpoint, "An unknown endpoint"] as const] : []),
          ]}
        />
        <Select
          label="Event"
          name="event"
          chosen={search.event}
          options={[
            ["", "All"],
            ...[...eventNames, testEvent].map((name) => [name, eventLabel(name)] as const),
          ]}
        />
        <Time label="Since (UTC)" name="since" value={search.since} />
        <Time label="Until (UTC)" name="until" value={search.until} />
        <Field
          label="Record"
          name="subject_id"
          required={false}
          value={search.subject_id ?? ""}
          placeholder="Record id"
        />
        <Field
          label="Response"
          name="http_status"
          inputmode="numeric"
          required={false}
          value={search.http_status ?? ""}
          placeholder="500"
        />
        <Button kind="quiet">Search</Button>
        {isFiltered && (
          <Button kind="bare" href={hrefOf(c, pick(search, ["status"]))}>
            Clear
          </Button>
        )}
      </form>
    </Fold>
  );
};

const nameOf = ({ url, deleted_at }: WebhookEndpoint) =>
  url.replace(/^https?:\/\//i, "") + (deleted_at ? " (deleted)" : "");

const Time = ({ label, name, value }: { label: string; name: string; value: string | undefined }) => (
  <Field label={label} name={name} type="datetime-local" required={false} value={value?.slice(0, 16) ?? ""} />
);
