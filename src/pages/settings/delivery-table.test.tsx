import { expect, it } from "vitest";
import type { WebhookDelivery } from "../../webhooks/deliveries/record.ts";
import { DeliveryState } from "./delivery-table.tsx";

const now = new Date("2026-01-31T09:30:00.000Z");

it.each<[Partial<WebhookDelivery>, string]>([
  [{ status: "delivered", attempts: 1 }, "good Delivered"],
  [{ status: "dead", attempts: 8 }, "bad Gave up"],
  [{ status: "pending", attempts: 1, held: true }, "warn Held"],
  [
    { status: "pending", attempts: 1, held: false, next_attempt_at: "2026-01-31T09:42:00.000Z" },
    "warn Retrying in 12 min",
  ],
  [{ status: "pending", attempts: 0, held: false }, "link Sending"],
])("shows the state of a delivery: %o", (values, shown) => {
  const badge = String(<DeliveryState delivery={values as WebhookDelivery} now={now} />);
  expect(
    badge
      .replaceAll(/<span class="badge|">|<[^>]+>/g, " ")
      .replaceAll(/ +/g, " ")
      .trim(),
  ).toBe(shown);
});
