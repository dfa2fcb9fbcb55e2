import { expect, it } from "vitest";
import type { WebhookDelivery } from "../../webhooks/deliveries/record.ts";
import { DeliveryState } from "./delivery-table.tsx";

it.each<[Partial<WebhookDelivery>, string]>([
  [{ status: "delivered", attempts: 1 }, "good Delivered"],
  [{ status: "dead", attempts: 8 }, "bad Dead"],
  [{ status: "pending", attempts: 1, held: true }, "attention Held"],
  [{ status: "pending", attempts: 1, held: false }, "attention Pending"],
  [{ status: "pending", attempts: 0, held: false }, "neutral Pending"],
])("the state of a delivery that is %o", (values, shown) => {
  const badge = String(<DeliveryState delivery={values as WebhookDelivery} />);
  expect(badge.replaceAll(/<[^"]*"badge ?|">|<\/span>/g, " ").trim()).toBe(shown);
});
