import type { WebhookDelivery } from "../../webhooks/deliveries/record.ts";
import type { WebhookEndpoint } from "../../webhooks/endpoints/record.ts";
import { Badge } from "../components.tsx";
import { Minute, NeedsPlan, Table } from "./settings-page.tsx";
import { baseOf, type C } from "./visit.ts";

export const DeliveryState = ({ delivery }: { delivery: WebhookDelivery }) => {
  if (delivery.status === "delivered") return <Badge tone="good">Delivered</Badge>;
  if (delivery.status === "dead") return <Badge tone="bad">Dead</Badge>;
  if (delivery.held) return <Badge tone="attention">Held</Badge>;
  return <Badge tone={delivery.attempts > 0 ? "attention" : "neutral"}>Pending</Badge>;
};

interface DeliveriesOptions {
  c: C;
  deliveries: readonly WebhookDelivery[];
  /** By id, where a delivery may be any one's. */
  endpoints?: ReadonlyMap<string, WebhookEndpoint> | undefined;
}

export const DeliveryTable = ({ c, deliveries, endpoints }: DeliveriesOptions) =>
  deliveries.length === 0 ? (
    <p>
      {c.get("workspace").api_access ? (
        "No delivery yet. Send a test to an endpoint, or wait for an event that it subscribes to."
      ) : (
        <NeedsPlan c={c} />
      )}
    </p>
  ) : (
    <Table
      label="Deliveries"
      head={[
        "Recorded (UTC)",
        "Event",
        ...(endpoints ? ["Endpoint"] : []),
        "State",
        "Attempts",
        "Next attempt",
      ]}
    >
      {deliveries.map((delivery) => (
        <tr>
          <th scope="row">
            <a href={`${baseOf(c)}/deliveries/${delivery.id}`}>
              <Minute at={delivery.created_at} />
            </a>
          </th>
          <td>{delivery.event}</td>
          {endpoints && <OfEndpoint endpoint={endpoints.get(delivery.endpoint_id)} />}
          <td>
            <DeliveryState delivery={delivery} />
          </td>
          <td>{delivery.attempts}</td>
          <td>{delivery.next_attempt_at ? <Minute at={delivery.next_attempt_at} /> : ""}</td>
        </tr>
      ))}
    </Table>
  );

/** Where it goes, without what all addresses begin with. */
const OfEndpoint = ({ endpoint }: { endpoint: WebhookEndpoint | undefined }) => (
  <td class="place">
    {endpoint?.url.replace(/^https?:\/\//, "")}
    {endpoint?.deleted_at && <small>deleted</small>}
  </td>
);
