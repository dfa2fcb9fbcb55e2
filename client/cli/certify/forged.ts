import { headersOfDelivery } from "../delivery.ts";
import { nowSeconds } from "./receiver.ts";
import { type CertifyCase, refused, taken } from "./scenario.ts";

/** The secret of the documentation's examples, which everyone knows. */
const documentedBytes = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const documentedSecret = `whsec_${documentedBytes.toString("base64")}`;

/** Beyond the five minutes that a clock may be off. */
const outsideToleranceSeconds = 600;

/** Requests that anyone could send. They must be refused. */
export const forged: CertifyCase[] = [
  {
    name: "unsigned",
    title: "A request without any signature is refused",
    why: "Your endpoint's address is not secret: without signatures, anyone who knows it can report payments.",
    run: async (receiver) => {
      const without = { "webhook-signature": null, "X-Svc-Signature": null };
      return refused(await receiver.send({ headers: without }));
    },
  },
  {
    name: "legacy_only",
    title: "A request with only the legacy signature is refused",
    why: "The legacy signature has no timestamp: anyone who recorded a delivery can replay it forever.",
    run: async (receiver) => refused(await receiver.send({ headers: { "webhook-signature": null } })),
  },
  {
    name: "wrong_signature",
    title: "A signature by another secret is refused",
    why: "Only your own secret counts: everyone knows the one in the documentation's examples.",
    run: async (receiver) => refused(await receiver.send({ secrets: [documentedSecret] })),
  },
  {
    name: "altered_body",
    title: "A body that was changed under a valid signature is refused",
    why: "Verify first, even before you check whether you already have the id.",
    run: async (receiver) => {
      const delivery = receiver.delivery();
      const headers = await headersOfDelivery(delivery);
      const problem = taken(await receiver.send(delivery));
      const body = delivery.body.replace('"amount_received":500', '"amount_received":900');
      return problem ?? refused(await receiver.send({ ...delivery, body, headers }));
    },
  },
  {
    name: "stale",
    title: "A delivery that is ten minutes old is refused",
    why: "Anyone who recorded it can replay it later. Five minutes are enough for clocks that differ.",
    run: async (receiver) =>
      refused(await receiver.send({ timestampSeconds: nowSeconds() - outsideToleranceSeconds })),
  },
  {
    name: "future",
    title: "A delivery from ten minutes ahead is refused",
    why: "A timestamp ahead would stay valid for longer than five minutes.",
    run: async (receiver) =>
      refused(await receiver.send({ timestampSeconds: nowSeconds() + outsideToleranceSeconds })),
  },
];
