import * as z from "zod";
import { Refusal } from "../../contract/refusal.ts";
import { batch } from "../../db/query.ts";
import { endpointHealth } from "../../webhooks/endpoints/read-endpoints.ts";
import { WebhookEndpoint, type WebhookHealth } from "../../webhooks/endpoints/record.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/card.tsx";
import { Meter } from "../parts/figures.tsx";
import { Cell, Table } from "../parts/table.tsx";
import { refusedPage, show } from "./answers.tsx";
import { NeedsPlan, SettingsPage } from "./settings-page.tsx";
import { baseOf, type C, operate } from "./visit.ts";

export const webhooksPath = (c: C) => `${baseOf(c)}/webhooks`;
export const askedEndpointId = (c: C) => c.req.param("id") ?? "";
export const endpointPath = (c: C) => `${webhooksPath(c)}/${askedEndpointId(c)}`;

interface StateOptions {
  endpoint: WebhookEndpoint;
  health: WebhookHealth | null;
}

/** At a glance: whether what was recorded arrives. */
export const EndpointState = ({ endpoint, health }: StateOptions) => {
  if (!endpoint.enabled)
    return endpoint.disabled_reason === "circuit_breaker" ? (
      <Badge tone="bad">Off: too much failed</Badge>
    ) : (
      <Badge>Off</Badge>
    );
  if (health && health.consecutive_failures > 0) return <Badge tone="bad">Failing</Badge>;
  if (health && health.delivered_24h > 0) return <Badge tone="good">Healthy</Badge>;
  return <Badge>Nothing sent today</Badge>;
};

/** Which endpoint a question is about: two may have one host. */
export const EndpointName = ({ endpoint: { url, description } }: { endpoint: WebhookEndpoint }) => (
  <p>
    <strong>{url}</strong>
    {description && (
      <>
        {" "}
        · <bdi>{description}</bdi>
      </>
    )}
  </p>
);

export const eventsText = ({ events }: WebhookEndpoint): string => events?.join(", ") ?? "All events";

const lede = "We call these addresses when something happens: a sign-off, a comment, a payment.";

/** The workspace's endpoints, each with its figures. */
export async function endpointsWithHealth(c: C): Promise<StateOptions[] | Refusal> {
  const endpoints = await operate(c, "list-webhook-endpoints", z.array(WebhookEndpoint));
  if (endpoints instanceof Refusal) return endpoints;
  const organizationId = c.get("workspace").id;
  const queries = endpoints.map(({ id }) => endpointHealth(organizationId, id));
  const health = queries.length > 0 ? await batch(c.get("services").db, queries) : [];
  return endpoints.map((endpoint, index) => ({ endpoint, health: health[index] ?? null }));
}

export async function showWebhooks(c: C): Promise<Response> {
  const endpoints = await endpointsWithHealth(c);
  if (endpoints instanceof Refusal) return refusedPage(c, "webhooks", endpoints);
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
      section="webhooks"
      heading="Webhook endpoints"
      lede={lede}
      actions={api_access && endpoints.length > 0 && add}
    >
      {!api_access && <NeedsPlan c={c} icon="webhook" what="Webhooks" />}
      {api_access && endpoints.length === 0 && (
        <Empty icon="webhook" heading="No endpoints yet" actions={add}>
          Add the address of a program that should learn what happens here, then send it a test.
        </Empty>
      )}
      {endpoints.length > 0 && (
        <div class="card flush">
          <Table
            label="Endpoints"
            head={["Endpoint", "State", "Events", "Arrived, 24 h", { text: "Gave up, 30 days", atEnd: true }]}
          >
            {endpoints.map((one) => (
              <Row c={c} {...one} />
            ))}
          </Table>
        </div>
      )}
    </SettingsPage>,
  );
}

const Row = ({ c, endpoint, health }: StateOptions & { c: C }) => (
  <tr>
    <th scope="row">
      <a href={`${webhooksPath(c)}/${endpoint.id}`}>{endpoint.url}</a>
      {endpoint.description && (
        <small>
          <bdi>{endpoint.description}</bdi>
        </small>
      )}
    </th>
    <Cell phone="lead">
      <EndpointState endpoint={endpoint} health={health} />
    </Cell>
    <Cell phone="line">{eventsText(endpoint)}</Cell>
    <Cell label="Arrived, 24 h">{health && <Arrived health={health} />}</Cell>
    <Cell label="Gave up, 30 days" atEnd>
      {health?.dead_letters}
    </Cell>
  </tr>
);

/** Of what was tried in a day, the part that arrived. */
const Arrived = ({ health: { delivered_24h, failed_24h } }: { health: WebhookHealth }) => {
  const tried = delivered_24h + failed_24h;
  if (tried === 0) return <span class="muted">nothing sent</span>;
  return (
    <span class="rate">
      {delivered_24h} of {tried}
      <Meter label={`${delivered_24h} of ${tried} arrived`} used={delivered_24h} of={tried} isGood />
    </span>
  );
};
