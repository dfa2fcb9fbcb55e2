import type { WebhookDelivery } from "../../contract/workspace/webhooks.ts";
import { Badge } from "../components.tsx";
import { Minute, Table } from "./settings-page.tsx";
import { baseOf, type C } from "./visit.ts";

export const DeliveryState = ({ delivery }: { delivery: WebhookDelivery }) => {
  if (delivery.status === "delivered") return <Badge tone="good">Delivered</Badge>;
  if (delivery.status === "dead") return <Badge tone="bad">Dead</Badge>;
  if (delivery.held) return <Badge tone="attention">Held</Badge>;
  return <Badge tone={delivery.attempts > 0 ? "attention" : "neutral"}>Pending</Badge>;
};

export const DeliveryTable = ({ c, deliveries }: { c: C; deliveries: readonly WebhookDelivery[] }) =>
  deliveries.length === 0 ? (
    <p>No delivery yet. Send a test to an endpoint, or wait for an event that it subscribes to.</p>
  ) : (
    <Table label="Deliveries" head={["Recorded (UTC)", "Event", "State", "Attempts", "Next attempt"]}>
      {deliveries.map((delivery) => (
        <tr>
          <th scope="row">
            <a href={`${baseOf(c)}/deliveries/${delivery.id}`}>
              <Minute at={delivery.created_at} />
            </a>
          </th>
          <td>{delivery.event}</td>
          <td>
            <DeliveryState delivery={delivery} />
          </td>
          <td>{delivery.attempts}</td>
          <td>{delivery.next_attempt_at ? <Minute at={delivery.next_attempt_at} /> : ""}</td>
        </tr>
      ))}
    </Table>
  );
