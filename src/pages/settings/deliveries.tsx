import * as z from "zod";
import { deliveryStatuses } from "../../contract/closed-sets.ts";
import { Refusal } from "../../contract/refusal.ts";
import { run } from "../../db/query.ts";
import { WebhookDelivery } from "../../webhooks/deliveries/record.ts";
import { listEndpointsAnd } from "../../webhooks/endpoints/read-endpoints.ts";
import type { WebhookEndpoint } from "../../webhooks/endpoints/record.ts";
import { eventNames } from "../../webhooks/events.ts";
import { testEvent } from "../../webhooks/test-event.ts";
import { Field } from "../components.tsx";
import { show } from "./answers.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { only, searchOf, timesOf } from "./search.ts";
import { SettingsPage } from "./settings-page.tsx";
import { baseOf, type C, operate } from "./visit.ts";

const pageSize = 50;

export async function showDeliveries(c: C): Promise<Response> {
  const search = searchOf(c);
  const { deliveries, refusal, next, nothing } = await find(c, search);
  const endpoints = await endpointsAbout(c, search, deliveries);
  const { cursor, ...filter } = search;
  const page = (
    <SettingsPage c={c} section="deliveries" heading="Deliveries" refusal={refusal}>
      <Replayed count={c.req.query("replayed")} />
      {search.endpoint && <OnlyOf c={c} filter={filter} endpoint={endpoints.get(search.endpoint)} />}
      <Search c={c} search={search} mayReplay={mayReplay(c, search, endpoints)} />
      <section class="sheet" aria-label="Found">
        {deliveries.length === 0 && Object.keys(search).length > 0 ? (
          <p>
            {nothing} <a href={`${baseOf(c)}/deliveries`}>Show all deliveries</a>
          </p>
        ) : (
          <DeliveryTable
            c={c}
            deliveries={deliveries}
            endpoints={search.endpoint === undefined && endpoints.size > 1 ? endpoints : undefined}
          />
        )}
        {next && <a href={`?${new URLSearchParams({ ...filter, cursor: next })}`}>Older deliveries</a>}
      </section>
    </SettingsPage>
  );
  return show(c, page, refusal);
}

/** What a search found; `next`: where the older ones begin; `nothing`: what to say where it found none. */
interface Found {
  deliveries: readonly WebhookDelivery[];
  refusal: Refusal | undefined;
  next: string | undefined;
  nothing: string;
}

async function find(c: C, search: Record<string, string>): Promise<Found> {
  const fields = { ...timesOf(search), limit: pageSize };
  const found = await operate(c, "list-webhook-deliveries", z.array(WebhookDelivery), fields);
  if (found instanceof Refusal) {
    // A search that ended early says where to go on.
    const next = /^cursor=(.+)/.exec(found.hint ?? "")?.[1];
    return next
      ? { deliveries: [], refusal: undefined, next, nothing: `${found.text}.` }
      : { deliveries: [], refusal: found, next, nothing: "Nothing was searched." };
  }
  const { cursor, ...filter } = search;
  const mayEndEarly = Object.keys(filter).length > 1 || filter.status === "delivered";
  const next = found.length === pageSize || mayEndEarly ? found.at(-1)?.id : undefined;
  return { deliveries: found, refusal: undefined, next, nothing: "Nothing was found." };
}

/** By id, the workspace's endpoints and the deleted ones that the page speaks of. */
async function endpointsAbout(
  c: C,
  search: Record<string, string>,
  deliveries: readonly WebhookDelivery[],
): Promise<ReadonlyMap<string, WebhookEndpoint>> {
  const ids = new Set([search.endpoint ?? "", ...deliveries.map(({ endpoint_id }) => endpoint_id)]);
  const endpoints = await run(c.get("services").db, listEndpointsAnd(c.get("workspace").id, [...ids]));
  return new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
}

/** Whether a replay would take what the search is for, and would not be refused. */
function mayReplay(
  c: C,
  { endpoint: id = "", event, subject_id, status = "dead" }: Record<string, string>,
  endpoints: ReadonlyMap<string, WebhookEndpoint>,
): boolean {
  const endpoint = endpoints.get(id);
  const isReady = endpoint?.enabled && !endpoint.deleted_at && c.get("workspace").api_access;
  return Boolean(isReady) && status === "dead" && event === undefined && subject_id === undefined;
}

/** An address is anybody's text: it says a number here, and nothing else. */
const Replayed = ({ count = "" }: { count: string | undefined }) =>
  /^\d+$/.test(count) ? (
    <p class="notice" role="status">
      {count === "1" ? "1 delivery goes out again." : `${count} deliveries go out again, some 20 a second.`}
    </p>
  ) : null;

interface OnlyOfOptions {
  c: C;
  filter: Record<string, string>;
  endpoint: WebhookEndpoint | undefined;
}

/** Says that the search is of one endpoint, and takes that off. */
const OnlyOf = ({ c, filter: { endpoint: id, ...rest }, endpoint }: OnlyOfOptions) => (
  <p>
    Only of {endpoint?.url ?? "an endpoint that is not here"}
    {endpoint?.deleted_at && ", which was deleted"}.{" "}
    <a href={`${baseOf(c)}/deliveries?${new URLSearchParams(rest)}`}>Show those of all endpoints</a>
  </p>
);

interface SearchOptions {
  c: C;
  search: Record<string, string>;
  mayReplay: boolean;
}

const Search = ({ c, search, mayReplay }: SearchOptions) => (
  <details class="sheet" open={Object.keys(search).length > 0}>
    <summary>Search</summary>
    <form method="get" action={`${baseOf(c)}/deliveries`}>
      <div class="fields">
        <Select label="Status" name="status" values={deliveryStatuses} chosen={search.status} />
        <Select label="Event" name="event" values={[...eventNames, testEvent]} chosen={search.event} />
        <Time label="Since (UTC)" name="since" value={search.since} />
        <Time label="Until (UTC)" name="until" value={search.until} />
        <Field
          label="About the record"
          name="subject_id"
          required={false}
          value={search.subject_id ?? ""}
          hint="Its id: of an invoice, a deliverable, …"
        />
      </div>
      {search.endpoint && <input type="hidden" name="endpoint" value={search.endpoint} />}
      <div class="actions">
        <button type="submit">Search</button>
        {mayReplay && (
          <a
            class="button outline"
            href={`${baseOf(c)}/deliveries/replay?${new URLSearchParams(only(search, ["endpoint", "since", "until"]))}`}
          >
            Replay dead deliveries
          </a>
        )}
      </div>
    </form>
  </details>
);

const Time = ({ label, name, value }: { label: string; name: string; value: string | undefined }) => (
  <Field label={label} name={name} type="datetime-local" required={false} value={value?.slice(0, 16) ?? ""} />
);

interface SelectOptions {
  label: string;
  name: string;
  values: readonly string[];
  chosen: string | undefined;
}

const Select = ({ label, name, values, chosen }: SelectOptions) => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      <option value="">any</option>
      {values.map((value) => (
        <option value={value} selected={value === chosen}>
          {value}
        </option>
      ))}
    </select>
  </div>
);
