import * as z from "zod";
import { AdminRefusal } from "../../contract/admin-refusals.ts";
import { deliveryStatuses } from "../../contract/closed-sets.ts";
import { eventNames } from "../../contract/events.ts";
import { testEvent } from "../../contract/test-event.ts";
import { WebhookDelivery } from "../../contract/workspace/webhooks.ts";
import { Field } from "../components.tsx";
import { show } from "./answers.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { only, searchOf, timesOf } from "./search.ts";
import { SettingsPage } from "./settings-page.tsx";
import { baseOf, type C, operate } from "./visit.ts";

const pageSize = 50;
export async function showDeliveries(c: C): Promise<Response> {
  const search = searchOf(c);
  const fields = { ...timesOf(search), limit: pageSize };
  const found = await operate(c, "list-webhook-deliveries", z.array(WebhookDelivery), fields);
  const deliveries = found instanceof AdminRefusal ? [] : found;
  // A search that ended early says where to go on.
  const goesOn = found instanceof AdminRefusal ? /^cursor=(.+)/.exec(found.hint ?? "")?.[1] : undefined;
  const refusal = found instanceof AdminRefusal && !goesOn ? found : undefined;
  const { cursor, ...filter } = search;
  const mayEndEarly = Object.keys(filter).length > 1 || filter.status === "delivered";
  const last = deliveries.length === pageSize || mayEndEarly ? deliveries.at(-1)?.id : undefined;
  const next = goesOn ?? last;
  const said = goesOn && found instanceof AdminRefusal ? `${found.message}.` : "Nothing was found.";
  const nothing = refusal ? "Nothing was searched." : said;
  // An address is anybody's text: it says a number here, and nothing else.
  const replayed = /^\d+$/.exec(c.req.query("replayed") ?? "")?.[0];
  const page = (
    <SettingsPage c={c} section="deliveries" heading="Deliveries" refusal={refusal}>
      {replayed && (
        <p class="notice" role="status">
          {replayed === "1" ? "1 delivery goes" : `${replayed} deliveries go`} out again, some 20 a second.
        </p>
      )}
      <Search c={c} search={search} />
      <section class="sheet" aria-label="Found">
        {deliveries.length === 0 && Object.keys(search).length > 0 ? (
          <p>
            {nothing} <a href={`${baseOf(c)}/deliveries`}>Show all deliveries</a>
          </p>
        ) : (
          <DeliveryTable c={c} deliveries={deliveries} />
        )}
        {next && <a href={`?${new URLSearchParams({ ...filter, cursor: next })}`}>Older deliveries</a>}
      </section>
    </SettingsPage>
  );
  return show(c, page, refusal);
}

const Search = ({ c, search }: { c: C; search: Record<string, string> }) => (
  <details class="sheet" open={Object.keys(search).length > 0}>
    <summary>Search</summary>
    <form method="get" action={`${baseOf(c)}/deliveries`}>
      <div class="fields">
        <Select label="Status" name="status" values={deliveryStatuses} chosen={search.status} />
        <Select label="Event" name="event" values={[...eventNames, testEvent]} chosen={search.event} />
        <Field
          label="Since (UTC)"
          name="since"
          type="datetime-local"
          required={false}
          value={localTime(search.since)}
        />
        <Field
          label="Until (UTC)"
          name="until"
          type="datetime-local"
          required={false}
          value={localTime(search.until)}
        />
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
        {search.endpoint && (
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

const localTime = (text: string | undefined) => text?.slice(0, 16) ?? "";

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
