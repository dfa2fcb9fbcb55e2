import { headersOfDelivery } from "../delivery.ts";
import { nowSeconds } from "./receiver.ts";
import { type CertifyCase, expectAccepted, expectRefused } from "./scenario.ts";

/** The public secret of the examples in the documentation. */
const documentedBytes = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const documentedSecret = `whsec_${documentedBytes.toString("base64")}`;

/** More than the tolerance of five minutes. */
const outsideToleranceSeconds = 600;

/** Forged requests, which anyone could send. A receiver must reject them. */
export const forgedCases: CertifyCase[] = [
  {
    name: "unsigned",
    title: "Refuses a request without a signature",
    why: "Your endpoint's URL is not secret. Without signatures, anyone who knows it can report payments.",
    run: async (receiver) => {
      const without = { "webhook-signature": null, "X-Svc-Signature": null };
      return expectRefused(await receiver.send({ headers: without }));
    },
  },
  {
    name: "legacy_only",
    title: "Refuses a request with only the legacy signature",
    why: "The legacy signature has no timestamp, so anyone who recorded a delivery could replay it forever.",
    run: async (receiver) => expectRefused(await receiver.send({ headers: { "webhook-signature": null } })),
  },
  {
    name: "wrong_signature",
    title: "Refuses a signature made with another secret",
    why: "Accept only your own secret. Everyone knows the secret in the documentation's examples.",
    run: async (receiver) => expectRefused(await receiver.send({ secrets: [documentedSecret] })),
  },
  {
    name: "altered_body",
    title: "Refuses a body that was changed after it was signed",
    why: "Verify the signature first, even before you check whether you already have the id.",
    run: async (receiver) => {
      const delivery = receiver.delivery();
      const headers = await headersOfDelivery(delivery);
      const problem = expectAccepted(await receiver.send(delivery));
      const body = delivery.body.replace('"amount_received":500', '"amount_received":900');
      return problem ?? expectRefused(await receiver.send({ ...delivery, body, headers }));
    },
  },
  {
    name: "stale",
    title: "Refuses a delivery that is ten minutes old",
    why: "Anyone who recorded it could replay it later. Five minutes is enough to allow for clock differences.",
    run: async (receiver) =>
      expectRefused(await receiver.send({ timestampSeconds: nowSeconds() - outsideToleranceSeconds })),
  },
  {
    name: "future",
    title: "Refuses a delivery from ten minutes in the future",
    why: "A timestamp in the future would stay valid for more than five minutes.",
    run: async (receiver) =>
      expectRefused(await receiver.send({ timestampSeconds: nowSeconds() + outsideToleranceSeconds })),
  },
];
