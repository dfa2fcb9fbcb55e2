import type { DeliveryOutcome } from "../../webhooks/deliveries/read-outcomes.ts";
import type { WebhookDelivery } from "../../webhooks/deliveries/record.ts";
import type { WebhookEndpoint } from "../../webhooks/endpoints/record.ts";
import { testEvent } from "../../webhooks/test-event.ts";
import { Badge } from "../parts/badge.tsx";
import { Cell, Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { resultText } from "./attempt-result.tsx";
import { baseOf, type C } from "./page-context.ts";

/** Returns the display name of an event. Tests need one too, because they are not API events. */
export const eventLabel = (event: string): string => (event === testEvent ? "Test delivery" : event);

/** Whether a delivery is on its first attempt, or on the first attempt after a replay. */
export const isSending = ({ status, held, attempts }: WebhookDelivery): boolean =>
  status === "pending" && !held && attempts === 0;

/** One of five states: delivered, failed, held, waiting for its next attempt, or on its first attempt. */
export const DeliveryState = ({ delivery, now }: { delivery: WebhookDelivery; now?: Date }) => {
  if (delivery.status === "delivered") return <Badge tone="good">Delivered</Badge>;
  if (delivery.status === "dead") return <Badge tone="bad">Gave up</Badge>;
  if (delivery.held) return <Badge tone="warn">Held</Badge>;
  if (isSending(delivery)) return <Badge tone="link">Sending</Badge>;
  return (
    <Badge tone="warn">
      Retrying <Ago at={delivery.next_attempt_at} {...(now && { now })} />
    </Badge>
  );
};

interface DeliveriesOptions {
  c: C;
  deliveries: readonly WebhookDelivery[];
  outcomes: readonly DeliveryOutcome[];
  /** By id. Set if the deliveries may belong to several endpoints. */
  endpoints?: ReadonlyMap<string, WebhookEndpoint> | undefined;
}

export const DeliveryTable = ({ c, deliveries, outcomes, endpoints }: DeliveriesOptions) => (
  <Table
    label="Deliveries"
    head={[
      "Event",
      "State",
      ...(endpoints ? ["Endpoint"] : []),
      "Response",
      { text: "Attempts", atEnd: true },
      { text: "Recorded", atEnd: true },
    ]}
  >
    {deliveries.map((delivery) => {
      const outcome = outcomes.find(({ id }) => id === delivery.id);
      return (
        <tr>
          <th scope="row">
            <a href={`${baseOf(c)}/deliveries/${delivery.id}`}>{eventLabel(delivery.event)}</a>
            {outcome?.about && (
              <small>
                <bdi>{outcome.about}</bdi>
              </small>
            )}
          </th>
          <Cell phone="lead">
            <DeliveryState delivery={delivery} />
          </Cell>
          {endpoints && <OfEndpoint endpoint={endpoints.get(delivery.endpoint_id)} />}
          <Cell phone="rest">{outcome && !isSending(delivery) && <Answer outcome={outcome} />}</Cell>
          <Cell phone="no" atEnd>
            {outcome?.attempts}
          </Cell>
          <Cell atEnd>
            <Ago at={delivery.created_at} />
          </Cell>
        </tr>
      );
    })}
  </Table>
);

/** The status, and the start of the response to a failed attempt. */
const Answer = ({ outcome }: { outcome: DeliveryOutcome }) => (
  <>
    {resultText(outcome)}
    {outcome.is_of_earlier_address === 1 && <small>from the previous address</small>}
    {outcome.error_class !== null && outcome.response_body && (
      <small>
        <bdi>{outcome.response_body}</bdi>
      </small>
    )}
  </>
);

/** An endpoint's URL without the scheme. */
const OfEndpoint = ({ endpoint }: { endpoint: WebhookEndpoint | undefined }) => (
  <Cell phone="line">
    <bdi>{endpoint?.url.replace(/^https?:\/\//i, "")}</bdi>
    {endpoint?.deleted_at && <small>deleted</small>}
  </Cell>
);
