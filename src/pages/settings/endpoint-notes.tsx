/** The notes above an endpoint's figures: what is wrong, what changed, and what to do next. */
import { healthLimits, webhookLimits } from "../../contract/webhook-limits.ts";
import type { DeliveryOutcome } from "../../webhooks/deliveries/read-outcomes.ts";
import type { ReplayedOfDay } from "../../webhooks/endpoints/read-endpoints.ts";
import type { WebhookEndpoint, WebhookHealth } from "../../webhooks/endpoints/record.ts";
import { Button } from "../parts/button.tsx";
import { Note } from "../parts/card.tsx";
import { upTo } from "../parts/figures.tsx";
import { When } from "../parts/time.tsx";
import { advice, isAboutAddress, reasonText } from "./attempt-result.tsx";
import { baseOf, type C } from "./page-context.ts";
import { FormId } from "./settings-page.tsx";
import { endpointPath } from "./webhooks.tsx";

interface BannerOptions {
  c: C;
  endpoint: WebhookEndpoint;
  health: WebhookHealth;
  outcome: DeliveryOutcome | undefined;
}

/** Explains what is wrong, why, and what to do next. Shows nothing if there is no problem. */
export const Banner = ({ c, endpoint, health, outcome }: BannerOptions) => {
  if (!c.get("workspace").api_access)
    return (
      <Note tone="warn" heading="Nothing goes out on this plan">
        <p>
          Webhooks require a paid plan. Until then, events are kept for {webhookLimits.keptDays} days.{" "}
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
      <SuggestedFix c={c} health={health} outcome={outcome} />
    </Note>
  );
};

interface MovedOptions extends Omit<BannerOptions, "outcome"> {
  at: string;
  hasArrived: boolean;
}

/** Shown after the URL has changed, because failures at the earlier URL say nothing about the new one. */
export const Moved = ({ c, endpoint, health, hasArrived, at }: MovedOptions) => (
  <Note
    tone={hasArrived ? "good" : undefined}
    heading={hasArrived ? "Deliveries arrive at the new address" : "The address of this endpoint changed"}
  >
    <p>
      It changed on <When at={at} />. {!hasArrived && "Nothing has been delivered to the new address yet. "}
      Responses before that came from the previous address.
    </p>
    {isReady(c, endpoint) && (
      <div class="actions">
        {!hasArrived && (
          <form method="post" action={`${endpointPath(c)}/test`}>
            <FormId />
            <Button icon="zap">Send a test</Button>
          </form>
        )}
        {health.consecutive_failures === 0 && <ReplayButton c={c} health={health} />}
      </div>
    )}
  </Note>
);

export const Replays = ({ replays: { replayed, delivered, dead } }: { replays: ReplayedOfDay }) => {
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
        It responds with <code>{outcome.response_body}</code>.{" "}
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
      {waitingText(health.pending_backlog)} They are kept for {webhookLimits.keptDays} days, and are sent when
      you enable the endpoint again.
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

/** The suggested fix comes first. */
const SuggestedFix = ({ c, health, outcome }: Omit<BannerOptions, "endpoint">) =>
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

/** Whether the endpoint's deliveries are sent and not held. */
export const isReady = (c: C, { enabled }: WebhookEndpoint) => enabled && c.get("workspace").api_access;
