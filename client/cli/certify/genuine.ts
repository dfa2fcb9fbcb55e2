import { headersOfDelivery, type ReceiverAnswer } from "../delivery.ts";
import { everyEvent, example, nowSeconds } from "./receiver.ts";
import { type CertifyCase, expectAccepted } from "./scenario.ts";

const otherSecret = () => `whsec_${crypto.getRandomValues(Buffer.alloc(32)).toString("base64")}`;
const firstProblem = (answers: ReceiverAnswer[]) =>
  answers.map(expectAccepted).find((problem) => problem !== undefined);

/** Genuine deliveries in all their variants. A receiver must accept them. */
export const genuineCases: CertifyCase[] = [
  {
    name: "valid",
    title: "Accepts a delivery as production sends it",
    why: "Anything but a 2xx is retried, and 20 failed deliveries in a row disable the endpoint.",
    run: async (receiver) => expectAccepted(await receiver.send()),
  },
  {
    name: "every_event",
    title: "Accepts every event in the catalog",
    why: "An endpoint gets all events by default. Respond with 2xx to the ones you do not use, too.",
    run: async (receiver) => {
      for (const event of everyEvent) {
        const problem = expectAccepted(await receiver.send({ event }));
        if (problem) return `${event}: ${problem}`;
      }
      return undefined;
    },
  },
  {
    name: "legacy_retired",
    title: "Accepts a delivery without the legacy signature",
    why: "X-Svc-Signature will be retired, and webhook-signature will stay.",
    run: async (receiver) => expectAccepted(await receiver.send({ headers: { "X-Svc-Signature": null } })),
  },
  {
    name: "rotation_new_secret",
    title: "During a rotation, accepts a delivery if it has the new secret",
    why: "For 24 hours, deliveries have two signatures. Accept a delivery if either is valid.",
    run: async (receiver) =>
      expectAccepted(await receiver.send({ secrets: [receiver.secret, otherSecret()] })),
  },
  {
    name: "rotation_old_secret",
    title: "During a rotation, accepts a delivery if it still has the old secret",
    why: "Otherwise every delivery between the rotation and your next deployment is lost.",
    run: async (receiver) =>
      expectAccepted(await receiver.send({ secrets: [otherSecret(), receiver.secret] })),
  },
  {
    name: "unknown_scheme",
    title: "Ignores a signature with an unknown scheme next to a valid one",
    why: "In Standard Webhooks, a prefix names the scheme. Skip the schemes you do not know.",
    run: async (receiver) => {
      const delivery = receiver.delivery();
      const { "webhook-signature": ours } = await headersOfDelivery(delivery);
      return expectAccepted(
        await receiver.send({ ...delivery, headers: { "webhook-signature": `v9,AAAA ${ours}` } }),
      );
    },
  },
  {
    name: "unknown_event",
    title: "Accepts an event that does not exist yet",
    why: "New events are added without notice. A 4xx is not retried, and 20 in a row disable the endpoint.",
    run: async (receiver) => {
      const body = JSON.stringify({
        ...example("invoice.paid"),
        event: "planet.aligned",
        data: { planet: 9 },
      });
      return expectAccepted(await receiver.send({ event: "planet.aligned", body }));
    },
  },
  {
    name: "unknown_fields",
    title: "Ignores fields that do not exist yet",
    why: "New fields are added without notice, and would break a schema that refuses them.",
    run: async (receiver) => {
      const { data, ...rest } = example("invoice.paid");
      const body = JSON.stringify({ ...rest, version: 7, data: { ...data, mood: { of: ["the", "day"] } } });
      return expectAccepted(await receiver.send({ body }));
    },
  },
  {
    name: "huge_body",
    title: "Accepts a body of 256 KB",
    why: "Clients can write long texts, and body parsers often have a limit of only 100 KB.",
    run: async (receiver) => {
      const event = example("feedback.created");
      const body = JSON.stringify({ ...event, data: { ...event.data, body: "long ".repeat(52_429) } });
      return expectAccepted(await receiver.send({ event: event.event, body }));
    },
  },
  {
    name: "raw_bytes",
    title: "Accepts a body with unusual whitespace and escapes",
    why: "The signature covers the received bytes, which differ from JSON that was parsed and serialized again.",
    run: async (receiver) => {
      const body = JSON.stringify(example("invoice.paid"), null, 2)
        .replace("1250.5", "1250.50")
        .replace(/o/, "\\u006f");
      return expectAccepted(await receiver.send({ body }));
    },
  },
  {
    name: "unicode",
    title: "Accepts names in any script",
    why: "The signature covers UTF-8 bytes. Read the body as bytes or as UTF-8, never as Latin-1.",
    run: async (receiver) => {
      const { data, ...rest } = example("invoice.paid");
      const body = JSON.stringify({ ...rest, data: { ...data, client_name: "Søren & 東京 🎨" } });
      return expectAccepted(await receiver.send({ body }));
    },
  },
  {
    name: "duplicate",
    title: "Responds with 2xx when the same delivery arrives again",
    why: "Deliveries can arrive more than once. Do the work once per webhook-id, and respond with 2xx each time.",
    run: async (receiver) => {
      const delivery = receiver.delivery();
      return firstProblem([await receiver.send(delivery), await receiver.send(delivery)]);
    },
  },
  {
    name: "replay",
    title: "Accepts an admin's replay, which has the same id and a new timestamp",
    why: "A replay keeps the original webhook-id, but has the timestamp and signature of the new attempt.",
    run: async (receiver) => {
      const delivery = receiver.delivery({ timestampSeconds: nowSeconds() - 60 });
      const replayed = { ...delivery, attempt: 2, timestampSeconds: nowSeconds() };
      return firstProblem([await receiver.send(delivery), await receiver.send(replayed)]);
    },
  },
  {
    name: "reordered",
    title: "Accepts an older event after a newer event about the same record",
    why: "Deliveries can arrive in any order. Keep the newer state, and respond with 2xx.",
    run: async (receiver) => {
      const { data, ...rest } = example("invoice.overdue");
      const about = { ...data, invoice_id: crypto.randomUUID() };
      const older = { ...rest, created_at: new Date(Date.now() - 3_600_000).toISOString(), data: about };
      const newer = JSON.stringify({ ...rest, data: about });
      return firstProblem([
        await receiver.send({ event: rest.event, body: newer }),
        await receiver.send({ event: rest.event, body: JSON.stringify(older) }),
      ]);
    },
  },
  {
    name: "retry_after_failure",
    title: "Accepts the retry of an attempt that failed halfway",
    why: "Record an id when its work is done, not when its headers arrive, or the failed delivery is lost for good.",
    run: async (receiver) => {
      const delivery = receiver.delivery();
      await receiver.breakOff(delivery);
      return expectAccepted(await receiver.send({ ...delivery, attempt: 2, timestampSeconds: nowSeconds() }));
    },
  },
  {
    name: "burst",
    title: "Accepts twenty deliveries at once",
    why: "Events of invoices that become overdue at midnight arrive together.",
    run: async (receiver) => {
      const body = JSON.stringify(example("invoice.paid"));
      return firstProblem(await Promise.all(Array.from({ length: 20 }, () => receiver.send({ body }))));
    },
  },
];
