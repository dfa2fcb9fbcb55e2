import { noSuch, Refusal } from "../../contract/refusal.ts";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import { batch, run } from "../../db/query.ts";
import { listDeliveries } from "../../webhooks/deliveries/read-deliveries.ts";
import { type DeliveryOutcome, outcomesOf } from "../../webhooks/deliveries/read-outcomes.ts";
import { WebhookDelivery } from "../../webhooks/deliveries/record.ts";
import {
  endpointHealth,
  findEndpoint,
  hasArrivedSinceMove,
  replayedOfDay,
} from "../../webhooks/endpoints/read-endpoints.ts";
import type { WebhookEndpoint, WebhookHealth } from "../../webhooks/endpoints/record.ts";
import { eventNames } from "../../webhooks/events.ts";
import { deliveriesOverTime, type Period, periods } from "../../webhooks/health/deliveries-over-time.ts";
import { testEvent } from "../../webhooks/test-event.ts";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Select } from "../parts/field.tsx";
import { Address } from "../parts/words.tsx";
import { DeliveryTable, eventLabel } from "./delivery-table.tsx";
import { DeliveriesChart, Figures } from "./endpoint-figures.tsx";
import { Banner, isReady, Moved, Replays } from "./endpoint-notes.tsx";
import { baseOf, type C, fieldsOf, operate } from "./page-context.ts";
import { refusedPage, show } from "./responses.tsx";
import { FormId, SettingsPage } from "./settings-page.tsx";
import {
  EndpointState,
  endpointIdInPath,
  endpointPath,
  endpointTitle,
  eventsText,
  webhooksPath,
} from "./webhooks.tsx";

const aboveOf = (c: C) => ({ href: webhooksPath(c), text: "Endpoints" });
const shownDeliveries = 10;

const isPeriod = (text: string | undefined): text is Period =>
  text !== undefined && Object.hasOwn(periods, text);

export async function showEndpoint(c: C, refusal?: Refusal): Promise<Response> {
  const [id, organizationId] = [endpointIdInPath(c), c.get("workspace").id];
  const requested = c.req.query("period");
  const period = isPeriod(requested) ? requested : "24h";
  const { db } = c.get("services");
  const [endpoint, health, overTime, deliveries, hasArrived, replays] = await batch(db, [
    findEndpoint(organizationId, id),
    endpointHealth(organizationId, id),
    deliveriesOverTime(organizationId, { endpointId: id, period, now: new Date() }),
    listDeliveries(organizationId, { endpoint: id, limit: shownDeliveries }),
    hasArrivedSinceMove(organizationId, id),
    replayedOfDay(organizationId, id),
  ]);
  if (!endpoint || !health) return refusedPage(c, noSuch("webhook endpoint", id));
  const ids = deliveries.map((delivery) => delivery.id);
  const outcomes = ids.length > 0 ? await run(db, outcomesOf(organizationId, ids)) : [];
  const page = (
    <SettingsPage
      c={c}
      above={aboveOf(c)}
      heading={<Address>{endpointTitle(endpoint)}</Address>}
      title={endpointTitle(endpoint)}
      under={<Under endpoint={endpoint} health={health} />}
      actions={isReady(c, endpoint) && <TestForm c={c} />}
      refusal={refusal}
    >
      <Banner c={c} endpoint={endpoint} health={health} outcome={newestFailure(deliveries, outcomes)} />
      {endpoint.url_changed_at && (
        <Moved {...{ c, endpoint, health, hasArrived }} at={endpoint.url_changed_at} />
      )}
      {replays.replayed > 0 && <Replays replays={replays} />}
      <Figures {...{ overTime, period, health }} />
      <DeliveriesChart {...{ overTime, period }} />
      <Newest {...{ c, deliveries, outcomes }} />
      <Changes c={c} endpoint={endpoint} />
    </SettingsPage>
  );
  return show(c, page, refusal);
}

const Under = ({ endpoint, health }: { endpoint: WebhookEndpoint; health: WebhookHealth }) => (
  <>
    <EndpointState endpoint={endpoint} health={health} />
    <code>{endpoint.url}</code>
    <span class="muted small">
      {endpoint.description && (
        <>
          <bdi>{endpoint.description}</bdi> ·{" "}
        </>
      )}
      {eventsText(endpoint)}
      {endpoint.headers.length > 0 && (
        <>
          {" "}
          · Headers: <code>{endpoint.headers.join(", ")}</code>
        </>
      )}
    </span>
  </>
);

/** Returns the outcome of the newest failed delivery to the current URL; undefined if there is none. */
const newestFailure = (
  deliveries: readonly WebhookDelivery[],
  outcomes: readonly DeliveryOutcome[],
): DeliveryOutcome | undefined =>
  deliveries
    .map(({ id }) => outcomes.find((outcome) => outcome.id === id))
    .find((outcome) => outcome?.error_class != null && outcome.is_of_earlier_address === 0);

const TestForm = ({ c }: { c: C }) => (
  <form class="filters" method="post" action={`${endpointPath(c)}/test`}>
    <FormId />
    <Select
      label="Event"
      name="event"
      options={[["", eventLabel(testEvent)], ...eventNames.map((name) => [name, name] as const)]}
    />
    <Button kind="quiet" icon="zap">
      Send test
    </Button>
  </form>
);

interface NewestOptions {
  c: C;
  deliveries: readonly WebhookDelivery[];
  outcomes: readonly DeliveryOutcome[];
}

const Newest = ({ c, deliveries, outcomes }: NewestOptions) => (
  <Card
    flush
    id="newest"
    heading="Newest deliveries"
    aside={
      deliveries.length > 0 && (
        <a class="small" href={`${baseOf(c)}/deliveries?endpoint=${endpointIdInPath(c)}`}>
          All deliveries
        </a>
      )
    }
  >
    {deliveries.length === 0 ? (
      <p class="none">No deliveries yet. Send a test, or wait for an event.</p>
    ) : (
      <DeliveryTable c={c} deliveries={deliveries} outcomes={outcomes} />
    )}
  </Card>
);

const Changes = ({ c, endpoint }: { c: C; endpoint: WebhookEndpoint }) => (
  <Card id="changes" heading="Address, secret and state">
    <p class="hint">
      The secret was shown once. Rotating creates a new one; both sign for {webhookLimits.secretOverlapHours}{" "}
      hours.
    </p>
    <div class="actions">
      <Button kind="quiet" href={`${endpointPath(c)}/edit`}>
        Edit
      </Button>
      <Button kind="quiet" href={`${endpointPath(c)}/rotate`}>
        Rotate secret
      </Button>
      {isReady(c, endpoint) && (
        <Button kind="quiet" href={`${baseOf(c)}/deliveries/replay?endpoint=${endpoint.id}`}>
          Replay deliveries
        </Button>
      )}
      {isReady(c, endpoint) && (
        <Button kind="quiet" href={`${endpointPath(c)}/backfill`}>
          Deliver earlier events
        </Button>
      )}
      {endpoint.enabled && (
        <Button kind="quiet" href={`${endpointPath(c)}/disable`}>
          Disable
        </Button>
      )}
      <Button kind="bad-quiet" href={`${endpointPath(c)}/delete`}>
        Delete
      </Button>
    </div>
  </Card>
);

export async function postTest(c: C): Promise<Response> {
  const sent = await operate(c, "send-test-webhook", WebhookDelivery, {
    ...(await fieldsOf(c)),
    id: endpointIdInPath(c),
  });
  return sent instanceof Refusal
    ? showEndpoint(c, sent)
    : c.redirect(`${baseOf(c)}/deliveries/${sent.id}`, 303);
}
