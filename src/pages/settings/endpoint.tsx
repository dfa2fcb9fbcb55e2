import { noSuch, Refusal } from "../../contract/refusal.ts";
import { healthLimits, webhookLimits } from "../../contract/webhook-limits.ts";
import { batch, run } from "../../db/query.ts";
import { listDeliveries } from "../../webhooks/deliveries/read-deliveries.ts";
import { type DeliveryOutcome, outcomesOf } from "../../webhooks/deliveries/read-outcomes.ts";
import { WebhookDelivery } from "../../webhooks/deliveries/record.ts";
import {
  endpointHealth,
  findEndpoint,
  hasArrivedSinceMove,
  type ReplayedOfDay,
  replayedOfDay,
} from "../../webhooks/endpoints/read-endpoints.ts";
import type { WebhookEndpoint, WebhookHealth } from "../../webhooks/endpoints/record.ts";
import { eventNames } from "../../webhooks/events.ts";
import { deliveriesOverTime, type Period, periods } from "../../webhooks/health/deliveries-over-time.ts";
import { testEvent } from "../../webhooks/test-event.ts";
import { Button } from "../parts/button.tsx";
import { Card, Note } from "../parts/card.tsx";
import { Select } from "../parts/field.tsx";
import { upTo } from "../parts/figures.tsx";
import { When } from "../parts/time.tsx";
import { advice, isAboutAddress, reasonText } from "./answered.tsx";
import { refusedPage, show } from "./answers.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { DeliveriesChart, Figures } from "./endpoint-figures.tsx";
import { baseOf, type C, fieldsOf, operate } from "./page-context.ts";
import { SettingsPage } from "./settings-page.tsx";
import {
  askedEndpointId,
  EndpointState,
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
  const [id, organizationId] = [askedEndpointId(c), c.get("workspace").id];
  const asked = c.req.query("period");
  const period = isPeriod(asked) ? asked : "24h";
  const { db } = c.get("services");
  const [endpoint, health, overTime, deliveries, hasArrived, replays] = await batch(db, [
    findEndpoint(organizationId, id),
    endpointHealth(organizationId, id),
    deliveriesOverTime(organizationId, { endpointId: id, period, now: new Date() }),
    listDeliveries(organizationId, { endpoint: id, limit: shownDeliveries }),
    hasArrivedSinceMove(organizationId, id),
    replayedOfDay(organizationId, id),
  ]);
  if (!endpoint || !health) return refusedPage(c, "webhooks", noSuch("webhook endpoint", id));
  const ids = deliveries.map((delivery) => delivery.id);
  const outcomes = ids.length > 0 ? await run(db, outcomesOf(organizationId, ids)) : [];
  const page = (
    <SettingsPage
      c={c}
      section="webhooks"
      above={aboveOf(c)}
      heading={endpointTitle(endpoint)}
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

/** How the newest delivery that failed at the present address ended; undefined if none of these did. */
const newestFailure = (
  deliveries: readonly WebhookDelivery[],
  outcomes: readonly DeliveryOutcome[],
): DeliveryOutcome | undefined =>
  deliveries
    .map(({ id }) => outcomes.find((outcome) => outcome.id === id))
    .find((outcome) => outcome?.error_class != null && outcome.is_of_earlier_address === 0);

interface BannerOptions {
  c: C;
  endpoint: WebhookEndpoint;
  health: WebhookHealth;
  outcome: DeliveryOutcome | undefined;
}

/** What is wrong, why, and what to do next; nothing if nothing is wrong. */
const Banner = ({ c, endpoint, health, outcome }: BannerOptions) => {
  if (!c.get("workspace").api_access)
    return (
      <Note tone="warn" heading="Nothing goes out on this plan">
        <p>
          Webhooks come with a paid plan. What happens until then is kept for {webhookLimits.keptDays} days.{" "}
          <a href={`${baseOf(c)}/plan`}>Compare plans</a>
        </p>
      </Note>
    );
  if (!endpoint.enabled) return <OffBanner {...{ c, endpoint, health, outcome }} />;
  const failures = health.consecutive_failures;
  if (failures === 0) return null;
  return (
    <Note
      tone="bad"
      heading={`${failures === 1 ? "The last attempt" : `The last ${failures} attempts`} failed${outcome ? `: ${reasonText(outcome)}` : ""}`}
    >
      {outcome && <Why outcome={outcome} />}
      {health.consecutive_dead > 0 && (
        <p>
          <strong>
            After {webhookLimits.deadDeliveriesToDisable - health.consecutive_dead} more deliveries give up,
            this endpoint is switched off.
          </strong>{" "}
          Nothing is lost: you can replay what gave up for {webhookLimits.keptDays} days.
        </p>
      )}
      <Mend c={c} health={health} outcome={outcome} />
    </Note>
  );
};

interface MovedOptions extends Omit<BannerOptions, "outcome"> {
  at: string;
  hasArrived: boolean;
}

/** Nothing that the earlier address did is said of the new one. */
const Moved = ({ c, endpoint, health, hasArrived, at }: MovedOptions) => (
  <Note
    tone={hasArrived ? "good" : undefined}
    heading={hasArrived ? "Deliveries arrive at the new address" : "The address of this endpoint changed"}
  >
    <p>
      It changed on <When at={at} />. {!hasArrived && "Nothing has arrived at the new address yet. "}
      Earlier answers below came from the earlier address.
    </p>
    {isReady(c, endpoint) && (
      <div class="actions">
        {!hasArrived && (
          <form method="post" action={`${endpointPath(c)}/test`}>
            <Button icon="zap">Send a test</Button>
          </form>
        )}
        {health.consecutive_failures === 0 && <ReplayButton c={c} health={health} />}
      </div>
    )}
  </Note>
);

const Replays = ({ replays: { replayed, delivered, dead } }: { replays: ReplayedOfDay }) => {
  const waiting = replayed - delivered - dead;
  const others = [
    ...(waiting > 0 ? [`${upTo(waiting, healthLimits.ofDay)} on the way`] : []),
    ...(dead > 0 ? [`${dead} gave up again`] : []),
  ];
  return (
    <Note tone={dead > 0 ? "warn" : delivered === replayed ? "good" : undefined} role="status">
      <p>
        {delivered} of {upTo(replayed, healthLimits.ofDay)} replayed{" "}
        {replayed === 1 ? "delivery" : "deliveries"} arrived in the last 24 hours
        {others.length > 0 && `; ${others.join(", ")}`}.
      </p>
    </Note>
  );
};

const Why = ({ outcome }: { outcome: DeliveryOutcome }) => (
  <p>
    {outcome.response_body && (
      <>
        It says <code>{outcome.response_body}</code>.{" "}
      </>
    )}
    {advice(outcome)}
  </p>
);

const waitingText = (count: number): string => {
  if (count === 0) return "New deliveries wait here.";
  return count === 1
    ? "1 delivery waits here, and new ones will."
    : `${upTo(count, healthLimits.waiting)} deliveries wait here, and new ones will.`;
};

const OffBanner = ({ c, endpoint, health, outcome }: BannerOptions) => (
  <Note
    tone={endpoint.disabled_reason === "circuit_breaker" ? "bad" : "warn"}
    heading={
      endpoint.disabled_reason === "circuit_breaker"
        ? `Switched off: ${webhookLimits.deadDeliveriesToDisable} deliveries in a row gave up${outcome ? `, because ${reasonText(outcome)}` : ""}`
        : "This endpoint is off"
    }
  >
    <p>
      {waitingText(health.pending_backlog)} They are kept for {webhookLimits.keptDays} days, and go out when
      you enable it again.
    </p>
    <form class="actions" method="post" action={`${endpointPath(c)}/enable`}>
      {hasMoved(outcome) && <EditAddress c={c} />}
      <Button kind={hasMoved(outcome) ? "quiet" : undefined}>Enable</Button>
    </form>
  </Note>
);

const hasMoved = (outcome: DeliveryOutcome | undefined): boolean =>
  outcome !== undefined && isAboutAddress(outcome);

const EditAddress = ({ c }: { c: C }) => (
  <Button icon="pencil" href={`${endpointPath(c)}/edit`}>
    Edit the address
  </Button>
);

/** The fix comes first. */
const Mend = ({ c, health, outcome }: Omit<BannerOptions, "endpoint">) =>
  (hasMoved(outcome) || health.dead_letters > 0) && (
    <div class="actions">
      {hasMoved(outcome) && <EditAddress c={c} />}
      <ReplayButton c={c} health={health} />
    </div>
  );

const ReplayButton = ({ c, health }: Pick<BannerOptions, "c" | "health">) =>
  health.dead_letters > 0 && (
    <Button kind="quiet" icon="refresh" href={`${baseOf(c)}/deliveries/replay?endpoint=${health.id}`}>
      Replay {health.dead_letters === 1 ? "1 delivery" : `${health.dead_letters} deliveries`}
    </Button>
  );

/** Whether deliveries to it are sent; otherwise they are held. */
const isReady = (c: C, { enabled }: WebhookEndpoint) => enabled && c.get("workspace").api_access;

const TestForm = ({ c }: { c: C }) => (
  <form class="filters" method="post" action={`${endpointPath(c)}/test`}>
    <Select
      label="Event"
      name="event"
      options={[["", testEvent], ...eventNames.map((name) => [name, name] as const)]}
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
        <a class="small" href={`${baseOf(c)}/deliveries?endpoint=${askedEndpointId(c)}`}>
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
      The secret was shown once. Rotating gives a new one; both sign for {webhookLimits.secretOverlapHours}{" "}
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
    id: askedEndpointId(c),
  });
  return sent instanceof Refusal
    ? showEndpoint(c, sent)
    : c.redirect(`${baseOf(c)}/deliveries/${sent.id}`, 303);
}
