import * as z from "zod";
import { noSuch, Refusal } from "../../contract/refusal.ts";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import { batch } from "../../db/query.ts";
import { listDeliveries } from "../../webhooks/deliveries/read-deliveries.ts";
import { WebhookDelivery } from "../../webhooks/deliveries/record.ts";
import { endpointHealth, findEndpoint } from "../../webhooks/endpoints/read-endpoints.ts";
import {
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  type WebhookHealth,
} from "../../webhooks/endpoints/record.ts";
import { eventNames } from "../../webhooks/events.ts";
import { deliveriesByHour } from "../../webhooks/health/deliveries-by-hour.ts";
import { testEvent } from "../../webhooks/test-event.ts";
import { When } from "../components.tsx";
import { refusedPage, show } from "./answers.tsx";
import { Chart } from "./chart.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { ConfirmPage, SettingsPage } from "./settings-page.tsx";
import { baseOf, type C, fieldsOf, operate } from "./visit.ts";
import { EndpointName, EndpointState, showSecret } from "./webhooks.tsx";

const idOf = (c: C) => c.req.param("id") ?? "";
const pathOf = (c: C) => `${baseOf(c)}/webhooks/${idOf(c)}`;
const shownDeliveries = 10;

export async function showEndpoint(c: C, refusal?: Refusal): Promise<Response> {
  const [id, organizationId] = [idOf(c), c.get("workspace").id];
  const [endpoint, health, hours, deliveries] = await batch(c.get("services").db, [
    findEndpoint(organizationId, id),
    endpointHealth(organizationId, id),
    deliveriesByHour(organizationId, id, new Date()),
    listDeliveries(organizationId, { endpoint: id, limit: shownDeliveries }),
  ]);
  if (!endpoint || !health) return refusedPage(c, "webhooks", noSuch("webhook endpoint", id));
  const page = (
    <SettingsPage c={c} section="webhooks" heading={new URL(endpoint.url).host} refusal={refusal}>
      <p class="title">
        <EndpointState endpoint={endpoint} health={health} /> <span class="address">{endpoint.url}</span>
        {endpoint.description && ` · ${endpoint.description}`} · {endpoint.events?.join(", ") ?? "all events"}
      </p>
      <Figures health={health} />
      <section class="sheet" aria-labelledby="chart-heading">
        <h2 id="chart-heading">The last 24 hours</h2>
        <Chart hours={hours} />
      </section>
      <Test c={c} endpoint={endpoint} />
      <section class="sheet" aria-labelledby="deliveries-heading">
        <h2 id="deliveries-heading">The newest deliveries</h2>
        <DeliveryTable c={c} deliveries={deliveries} />
        <p>
          <a href={`${baseOf(c)}/deliveries?endpoint=${id}`}>Search all of them</a>
        </p>
      </section>
      <Changes c={c} endpoint={endpoint} />
    </SettingsPage>
  );
  return show(c, page, refusal);
}

const Figures = ({ health }: { health: WebhookHealth }) => {
  const age = health.oldest_pending_age_seconds;
  const figures: [string, string | number][] = [
    ["Delivered, 24 h", health.delivered_24h],
    ["Failed, 24 h", health.failed_24h],
    ["Pending", health.pending_backlog],
    ["Dead", health.dead_letters],
    ["Failures in a row", health.consecutive_failures],
    ["Dead in a row", `${health.consecutive_dead} of ${webhookLimits.deadDeliveriesToDisable}`],
    ["Oldest pending", age === null ? "none" : `${Math.ceil(age / 60)} min`],
  ];
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

/** Whether what is sent to it goes out: else it is held. */
const isReady = (c: C, { enabled }: WebhookEndpoint) => enabled && c.get("workspace").api_access;

const Test = ({ c, endpoint }: { c: C; endpoint: WebhookEndpoint }) =>
  isReady(c, endpoint) && (
    <section class="sheet" aria-labelledby="test-heading">
      <h2 id="test-heading">Try it</h2>
      <form method="post" action={`${pathOf(c)}/test`}>
        <label for="event">Event</label>
        <select id="event" name="event">
          <option value="">{testEvent}</option>
          {eventNames.map((name) => (
            <option value={name}>{name}</option>
          ))}
        </select>
        <div class="actions">
          <button type="submit">Send test</button>
        </div>
      </form>
    </section>
  );

const Changes = ({ c, endpoint }: { c: C; endpoint: WebhookEndpoint }) => (
  <section class="sheet" aria-labelledby="changes-heading">
    <h2 id="changes-heading">Change it</h2>
    <div class="actions">
      {endpoint.enabled ? (
        <a class="button outline" href={`${pathOf(c)}/disable`}>
          Disable
        </a>
      ) : (
        <form method="post" action={`${pathOf(c)}/enable`}>
          <button type="submit">Enable</button>
        </form>
      )}
      <a class="button outline" href={`${pathOf(c)}/rotate`}>
        Rotate secret
      </a>
      {isReady(c, endpoint) && (
        <a class="button outline" href={`${baseOf(c)}/deliveries/replay?endpoint=${endpoint.id}`}>
          Replay dead deliveries
        </a>
      )}
      <a class="button outline" href={`${pathOf(c)}/delete`}>
        Delete
      </a>
    </div>
  </section>
);

export async function postTest(c: C): Promise<Response> {
  const sent = await operate(c, "send-test-webhook", WebhookDelivery, {
    ...(await fieldsOf(c)),
    id: idOf(c),
  });
  return sent instanceof Refusal
    ? showEndpoint(c, sent)
    : c.redirect(`${baseOf(c)}/deliveries/${sent.id}`, 303);
}

const questions = {
  disable: {
    button: "Disable",
    text: "Its deliveries are held, for 30 days, and go out when it is enabled again.",
  },
  delete: {
    button: "Delete",
    text: "Its pending deliveries end, and nothing is delivered to it any more. This cannot be taken back.",
  },
  rotate: {
    button: "Rotate secret",
    text:
      `It gets a new secret. Deliveries carry both signatures for ${webhookLimits.secretOverlapHours} hours; ` +
      "then the previous one ends.",
  },
} as const;
export const askedActions = z.enum(["disable", "delete", "rotate"]);

/** No rotation while both secrets of the last one are valid. */
const RunningOverlap = ({ endpoint }: { endpoint: WebhookEndpoint }) =>
  endpoint.previous_secret_expires_at && (
    <p>
      The last rotation is not over: the secret before it signs as well until{" "}
      <When at={endpoint.previous_secret_expires_at} exact />. Rotate again after that, and give your receiver
      the secret that signs now.
    </p>
  );

export async function askChange(c: C, action: keyof typeof questions): Promise<Response> {
  const [endpoint] = await batch(c.get("services").db, [findEndpoint(c.get("workspace").id, idOf(c))]);
  if (!endpoint || endpoint.deleted_at)
    return refusedPage(c, "webhooks", noSuch("webhook endpoint", idOf(c)));
  const { button, text } = questions[action];
  return show(
    c,
    <ConfirmPage
      c={c}
      section="webhooks"
      heading={`${button}: ${new URL(endpoint.url).host}`}
      button={button}
      back={pathOf(c)}
      isDestructive={action === "delete"}
      fields={{ form_id: crypto.randomUUID() }}
    >
      <EndpointName endpoint={endpoint} />
      <p>{text}</p>
      {action === "rotate" && <RunningOverlap endpoint={endpoint} />}
    </ConfirmPage>,
  );
}

export async function change(c: C, action: keyof typeof questions | "enable"): Promise<Response> {
  const fields = { id: idOf(c) };
  if (action === "rotate") {
    const sent = { ...(await fieldsOf(c)), ...fields };
    const rotated = await operate(c, "rotate-webhook-secret", WebhookEndpointWithSecret, sent);
    return rotated instanceof Refusal ? refusedPage(c, "webhooks", rotated) : showSecret(c, rotated);
  }
  const changed = await operate(c, `${action}-webhook-endpoint`, WebhookEndpoint, fields);
  if (changed instanceof Refusal) return refusedPage(c, "webhooks", changed);
  return c.redirect(action === "delete" ? `${baseOf(c)}/webhooks` : pathOf(c), 303);
}
