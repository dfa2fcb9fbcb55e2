import * as z from "zod";
import type { eventCategories } from "../../contract/closed-sets.ts";
import { dayMs } from "../../contract/durations.ts";
import { Refusal } from "../../contract/refusal.ts";
import { healthLimits, webhookLimits } from "../../contract/webhook-limits.ts";
import { batch, type Query, run } from "../../db/query.ts";
import { newestFailure } from "../../webhooks/deliveries/read-outcomes.ts";
import { endpointHealth, listFailingEndpoints } from "../../webhooks/endpoints/read-endpoints.ts";
import { WebhookEndpoint, type WebhookHealth } from "../../webhooks/endpoints/record.ts";
import { webhookEvents } from "../../webhooks/events.ts";
import { type DeliveriesOverTime, deliveriesOverTime } from "../../webhooks/health/deliveries-over-time.ts";
import { testEvent } from "../../webhooks/test-event.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Card, Empty } from "../parts/card.tsx";
import { Meter, upTo } from "../parts/figures.tsx";
import { Cell, Table } from "../parts/table.tsx";
import { Address } from "../parts/words.tsx";
import { type AttemptResult, shortReason } from "./attempt-result.tsx";
import { totalsOf } from "./endpoint-figures.tsx";
import { baseOf, type C, operate } from "./page-context.ts";
import { refusedPage, show } from "./responses.tsx";
import { NeedsPlan, SettingsPage } from "./settings-page.tsx";

export const webhooksPath = (c: C) => `${baseOf(c)}/webhooks`;
export const endpointIdInPath = (c: C) => c.req.param("id") ?? "";
export const endpointPath = (c: C) => `${webhooksPath(c)}/${endpointIdInPath(c)}`;

interface StateOptions {
  endpoint: WebhookEndpoint;
  health: WebhookHealth | null;
}

interface ListedEndpoint extends StateOptions {
  /** The deliveries in each hour of the last day. */
  overTime: DeliveriesOverTime;
  /** The newest failure, if the endpoint is failing. */
  failure: AttemptResult | null;
}

/** What each category of events is about. */
export const categoryTexts = {
  delivery: "Reviews",
  scope: "Change orders",
  change: "Change decisions",
  money: "Money",
} as const satisfies Record<(typeof eventCategories)[number], string>;

/** Describes when an event fires. An unknown event is shown unchanged. */
export function whenOf(event: string): string {
  if (event === testEvent) return "A test sent by an admin";
  const when = Object.hasOwn(webhookEvents, event)
    ? webhookEvents[event as keyof typeof webhookEvents].firesWhen
    : event;
  return when.charAt(0).toUpperCase() + when.slice(1);
}

/** Whether the endpoint's last attempt failed, or the endpoint was disabled after many failures. */
export const isFailing = ({ endpoint, health }: StateOptions): boolean =>
  endpoint.enabled ? (health?.consecutive_failures ?? 0) > 0 : endpoint.disabled_reason === "circuit_breaker";

/** A badge that says whether recent events are delivered. */
export const EndpointState = ({ endpoint, health }: StateOptions) => {
  if (!endpoint.enabled)
    return endpoint.disabled_reason === "circuit_breaker" ? (
      <Badge tone="bad">Off: too many failures</Badge>
    ) : (
      <Badge>Off</Badge>
    );
  if (health && health.consecutive_failures > 0) return <Badge tone="bad">Failing</Badge>;
  // The day's deliveries may have gone to an earlier URL.
  if (endpoint.url_changed_at && Date.now() - Date.parse(endpoint.url_changed_at) < dayMs)
    return <Badge>Address changed</Badge>;
  if (health && health.delivered_24h > 0) return <Badge tone="good">Healthy</Badge>;
  return <Badge>Nothing sent today</Badge>;
};

/** Returns an endpoint's URL without the scheme. */
export function endpointTitle({ url }: Pick<WebhookEndpoint, "url">): string {
  const { host, pathname } = new URL(url);
  return pathname === "/" ? host : host + pathname;
}

/** Shows an endpoint's full URL, because two endpoints may have the same host. */
export const EndpointName = ({ endpoint: { url, description } }: { endpoint: WebhookEndpoint }) => (
  <p>
    <strong>
      <bdi>{url}</bdi>
    </strong>
    {description && (
      <>
        {" "}
        · <bdi>{description}</bdi>
      </>
    )}
  </p>
);

const isCategory = (name: string): name is keyof typeof categoryTexts => Object.hasOwn(categoryTexts, name);

/** Returns a category's display name, or an event's name. */
export const eventText = (name: string): string => (isCategory(name) ? categoryTexts[name] : name);

export const eventsText = ({ events }: WebhookEndpoint): string =>
  events?.map(eventText).join(", ") ?? "All events";

const lede = "We send events, such as a sign-off, a comment or a payment, to these URLs.";

const nothingYet: DeliveriesOverTime = { spans: [], now: { delivered: 0, failed: 0, dead: 0 } };

/** Lists the workspace's endpoints with their figures. */
async function endpointsWithHealth(c: C): Promise<ListedEndpoint[] | Refusal> {
  const endpoints = await operate(c, "list-webhook-endpoints", z.array(WebhookEndpoint));
  if (endpoints instanceof Refusal) return endpoints;
  const [{ db }, organizationId] = [c.get("services"), c.get("workspace").id];
  const ofDay = { period: "24h", now: new Date() } as const;
  const ofEach = async <T,>(queryOf: (id: string) => Query<T>): Promise<T[]> =>
    endpoints.length > 0
      ? batch(
          db,
          endpoints.map(({ id }) => queryOf(id)),
        )
      : [];
  const [health, overTime] = await Promise.all([
    ofEach((id) => endpointHealth(organizationId, id)),
    ofEach((id) => deliveriesOverTime(organizationId, { endpointId: id, ...ofDay })),
  ]);
  const listed = endpoints.map((endpoint, index) => ({
    endpoint,
    health: health[index] ?? null,
    overTime: overTime[index] ?? nothingYet,
  }));
  const failures = await failuresOf(
    c,
    listed.filter(isFailing).map(({ endpoint }) => endpoint),
  );
  return listed.map((one) => ({ ...one, failure: failures.get(one.endpoint.id) ?? null }));
}

/** Lists endpoints that need attention, with their newest failure. */
export async function failingEndpoints(c: C): Promise<Pick<ListedEndpoint, "endpoint" | "failure">[]> {
  const endpoints = await run(c.get("services").db, listFailingEndpoints(c.get("workspace").id));
  const failures = await failuresOf(c, endpoints);
  return endpoints.map((endpoint) => ({ endpoint, failure: failures.get(endpoint.id) ?? null }));
}

async function failuresOf(c: C, endpoints: readonly WebhookEndpoint[]) {
  const queries = endpoints.map(({ id }) => newestFailure(c.get("workspace").id, id));
  const failures = queries.length > 0 ? await batch(c.get("services").db, queries) : [];
  return new Map(endpoints.map(({ id }, index) => [id, failures[index]]));
}

export async function showWebhooks(c: C): Promise<Response> {
  const endpoints = await endpointsWithHealth(c);
  if (endpoints instanceof Refusal) return refusedPage(c, endpoints);
  const { api_access } = c.get("workspace");
  const add = (
    <Button icon="plus" href={`${webhooksPath(c)}/new`}>
      Add endpoint
    </Button>
  );
  return show(
    c,
    <SettingsPage
      c={c}
      heading="Webhook endpoints"
      lede={lede}
      actions={api_access && endpoints.length > 0 && add}
    >
      {!api_access && <NeedsPlan c={c} icon="webhook" what="Webhooks" />}
      {api_access && endpoints.length === 0 && (
        <Empty icon="webhook" heading="No endpoints yet" actions={add}>
          Add the address of a program that should hear what happens here, then send it a test.
        </Empty>
      )}
      {endpoints.length > 0 && (
        <div class="card flush">
          <Table
            label="Endpoints"
            head={[
              "Endpoint",
              "State",
              "Events",
              "Delivered, 24 h",
              { text: "Gave up, 30 days", atEnd: true },
            ]}
          >
            {endpoints.map((one) => (
              <Row c={c} {...one} />
            ))}
          </Table>
        </div>
      )}
      {endpoints.length > 0 && <ForReceivers />}
    </SettingsPage>,
  );
}

const ForReceivers = () => (
  <Card
    id="receivers"
    heading="For the developer of the receiver"
    aside={
      <a class="small" href="/docs/webhooks">
        Receive webhooks
      </a>
    }
  >
    <p class="hint">
      Verify the signature with any Standard Webhooks library, respond with 2xx within{" "}
      {webhookLimits.attemptDeadlineMs / 1000} seconds, and remember each <code>webhook-id</code>: a delivery
      can arrive more than once.
    </p>
  </Card>
);

const Row = ({ c, endpoint, health, overTime, failure }: ListedEndpoint & { c: C }) => (
  <tr>
    <th scope="row">
      <a href={`${webhooksPath(c)}/${endpoint.id}`}>
        <Address>{endpoint.url}</Address>
      </a>
      {endpoint.description && (
        <small>
          <bdi>{endpoint.description}</bdi>
        </small>
      )}
      {failure && <small class="bad">{shortReason(failure)}</small>}
    </th>
    <Cell phone="lead">
      <EndpointState endpoint={endpoint} health={health} />
    </Cell>
    <Cell phone="line">{eventsText(endpoint)}</Cell>
    <Cell label="Delivered, 24 h">
      <Delivered overTime={overTime} />
    </Cell>
    <Cell label="Gave up, 30 days" atEnd>
      {health && upTo(health.dead_letters, healthLimits.waiting)}
    </Cell>
  </tr>
);

/** The share of a day's deliveries that succeeded. */
const Delivered = ({ overTime }: Pick<ListedEndpoint, "overTime">) => {
  const { delivered, tried } = totalsOf(overTime);
  if (tried === 0) return <span class="muted">nothing sent</span>;
  return (
    <span class="rate">
      {delivered} of {tried}
      <Meter label={`${delivered} of ${tried} delivered`} used={delivered} of={tried} kind="rate" />
    </span>
  );
};
