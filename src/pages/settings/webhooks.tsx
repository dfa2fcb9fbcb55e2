import * as z from "zod";
import { eventCategories } from "../../contract/closed-sets.ts";
import { Refusal } from "../../contract/refusal.ts";
import { batch } from "../../db/query.ts";
import { endpointHealth } from "../../webhooks/endpoints/read-endpoints.ts";
import {
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  type WebhookHealth,
} from "../../webhooks/endpoints/record.ts";
import { Badge, Field } from "../components.tsx";
import { refusedPage, type Shown, show } from "./answers.tsx";
import { EmptyState, SecretPage, SettingsPage, Table } from "./settings-page.tsx";
import { baseOf, type C, fieldsOf, operate, textOf } from "./visit.ts";

/** At a glance: whether what was recorded arrives. */
export const EndpointState = ({
  endpoint,
  health,
}: {
  endpoint: WebhookEndpoint;
  health: WebhookHealth | null;
}) => {
  if (!endpoint.enabled) {
    const why = endpoint.disabled_reason === "circuit_breaker" ? "Disabled: too many failed" : "Disabled";
    return <Badge tone="bad">{why}</Badge>;
  }
  if (health && health.consecutive_failures > 0) return <Badge tone="bad">Failing</Badge>;
  if (health && health.delivered_24h > 0) return <Badge tone="good">Delivering</Badge>;
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

export async function showWebhooks(c: C, given: Shown = {}): Promise<Response> {
  const endpoints = await operate(c, "list-webhook-endpoints", z.array(WebhookEndpoint));
  if (endpoints instanceof Refusal) return refusedPage(c, "webhooks", endpoints);
  const organizationId = c.get("workspace").id;
  const health =
    endpoints.length > 0
      ? await batch(
          c.get("services").db,
          endpoints.map(({ id }) => endpointHealth(organizationId, id)),
        )
      : [];
  const page = (
    <SettingsPage c={c} section="webhooks" heading="Webhooks" refusal={given.refusal} isLive>
      <EmptyState c={c} isEmpty={endpoints.length === 0}>
        There is no endpoint yet. Add the https address of a program that shall learn what happens here; then
        send it a test.
      </EmptyState>
      {endpoints.length > 0 && (
        <Table
          label="Endpoints"
          head={["Endpoint", "State", "Delivered", "Failed", "Pending", "Dead", "Last in a row"]}
        >
          {endpoints.map((endpoint, index) => (
            <Row c={c} endpoint={endpoint} health={health[index] ?? null} />
          ))}
        </Table>
      )}
      {c.get("workspace").api_access && <AddForm c={c} given={given} />}
    </SettingsPage>
  );
  return show(c, page, given.refusal);
}

const Row = ({ c, endpoint, health }: { c: C; endpoint: WebhookEndpoint; health: WebhookHealth | null }) => (
  <tr>
    <th scope="row">
      <a href={`${baseOf(c)}/webhooks/${endpoint.id}`}>{endpoint.url}</a>
      {endpoint.description && (
        <small>
          <bdi>{endpoint.description}</bdi>
        </small>
      )}
    </th>
    <td>
      <EndpointState endpoint={endpoint} health={health} />
    </td>
    <td>{health?.delivered_24h ?? 0}</td>
    <td>{health?.failed_24h ?? 0}</td>
    <td>{health?.pending_backlog ?? 0}</td>
    <td>{health?.dead_letters ?? 0}</td>
    <td>{health ? `${health.consecutive_failures} failed` : ""}</td>
  </tr>
);

const AddForm = ({ c, given }: { c: C; given: Shown }) => {
  const fields = given.fields ?? {};
  const events = Array.isArray(fields.events) ? fields.events : [];
  return (
    <section class="sheet" aria-labelledby="add-heading">
      <h2 id="add-heading">Add an endpoint</h2>
      <form method="post" action={`${baseOf(c)}/webhooks`}>
        <input type="hidden" name="form_id" value={crypto.randomUUID()} />
        <Field
          label="URL"
          name="url"
          type="url"
          inputmode="url"
          maxLength={2000}
          value={textOf(fields, "url") ?? ""}
          hint="An https address that the whole internet reaches"
        />
        <Field
          label="Description"
          name="description"
          maxLength={200}
          required={false}
          value={textOf(fields, "description") ?? ""}
        />
        <fieldset>
          <legend>Events (none chosen: all, future ones too)</legend>
          {eventCategories.map((category) => (
            <label class="scope">
              <input type="checkbox" name="events" value={category} checked={events.includes(category)} />
              <span>{category}</span>
            </label>
          ))}
        </fieldset>
        <div class="actions">
          <button type="submit">Add endpoint</button>
        </div>
      </form>
    </section>
  );
};

export async function addEndpoint(c: C): Promise<Response> {
  const fields = await fieldsOf(c, ["events"]);
  const made = await operate(c, "create-webhook-endpoint", WebhookEndpointWithSecret, { url: "", ...fields });
  return made instanceof Refusal ? showWebhooks(c, { fields, refusal: made }) : showSecret(c, made);
}

export const showSecret = (
  c: C,
  { id, url, secret, previous_secret_expires_at }: WebhookEndpointWithSecret,
): Response =>
  show(
    c,
    <SecretPage
      c={c}
      section="webhooks"
      heading={previous_secret_expires_at ? "Secret rotated" : "Endpoint added"}
      label="Secret"
      secret={secret}
      back={`${baseOf(c)}/webhooks/${id}`}
    >
      <p class="muted">
        {url} verifies every delivery with it.
        {previous_secret_expires_at &&
          ` The previous secret signs as well until ${previous_secret_expires_at.slice(0, 16).replace("T", " ")} UTC.`}
      </p>
    </SecretPage>,
  );
