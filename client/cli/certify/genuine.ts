import { headersOfDelivery, type ReceiverAnswer } from "../delivery.ts";
import { everyEvent, example, nowSeconds } from "./receiver.ts";
import { type CertifyCase, taken } from "./scenario.ts";

const otherSecret = () => `whsec_${crypto.getRandomValues(Buffer.alloc(32)).toString("base64")}`;
const firstProblem = (answers: ReceiverAnswer[]) =>
  answers.map(taken).find((problem) => problem !== undefined);

/** Genuine deliveries, in every form that they may have: they must be accepted. */
export const genuine: CertifyCase[] = [
  {
    name: "valid",
    title: "A delivery as production sends it is taken",
    why: "Anything but a 2xx is retried; 20 deliveries given up in a row disable the endpoint.",
    run: async (receiver) => taken(await receiver.send()),
  },
  {
    name: "every_event",
    title: "Every event of the catalogue is taken",
    why: "An endpoint gets all events by default; answer 2xx also to those that you do not use.",
    run: async (receiver) => {
      for (const event of everyEvent) {
        const problem = taken(await receiver.send({ event }));
        if (problem) return `${event}: ${problem}`;
      }
      return undefined;
    },
  },
  {
    name: "legacy_retired",
    title: "A delivery without the legacy signature is taken",
    why: "X-Svc-Signature will be retired; webhook-signature is what stays.",
    run: async (receiver) => taken(await receiver.send({ headers: { "X-Svc-Signature": null } })),
  },
  {
    name: "rotation_new_secret",
    title: "During a rotation, the receiver that has the new secret takes the delivery",
    why: "Two signatures stand there for 24 hours, the new secret's first: it is authentic if either verifies.",
    run: async (receiver) => taken(await receiver.send({ secrets: [receiver.secret, otherSecret()] })),
  },
  {
    name: "rotation_old_secret",
    title: "During a rotation, the receiver that still has the old secret takes the delivery",
    why: "Otherwise every delivery is lost between the rotation and your next deployment.",
    run: async (receiver) => taken(await receiver.send({ secrets: [otherSecret(), receiver.secret] })),
  },
  {
    name: "unknown_scheme",
    title: "A signature of a scheme that does not exist yet, beside a valid one, does no harm",
    why: "Standard Webhooks tells schemes apart by their prefix; skip those that you do not know.",
    run: async (receiver) => {
      const delivery = receiver.delivery();
      const { "webhook-signature": ours } = await headersOfDelivery(delivery);
      return taken(await receiver.send({ ...delivery, headers: { "webhook-signature": `v9,AAAA ${ours}` } }));
    },
  },
  {
    name: "unknown_event",
    title: "An event that does not exist yet is taken",
    why: "New events come without notice. A 4xx gives them up, and 20 in a row disable the endpoint.",
    run: async (receiver) => {
      const body = JSON.stringify({
        ...example("invoice.paid"),
        event: "planet.aligned",
        data: { planet: 9 },
      });
      return taken(await receiver.send({ event: "planet.aligned", body }));
    },
  },
  {
    name: "unknown_fields",
    title: "Fields that do not exist yet are ignored",
    why: "New fields come without notice: a schema that refuses them breaks on an ordinary day.",
    run: async (receiver) => {
      const { data, ...rest } = example("invoice.paid");
      const body = JSON.stringify({ ...rest, version: 7, data: { ...data, mood: { of: ["the", "day"] } } });
      return taken(await receiver.send({ body }));
    },
  },
  {
    name: "huge_body",
    title: "A body of 256 KB is taken",
    why: "Texts that clients write are long, and the limits of body parsers (often 100 KB) are short.",
    run: async (receiver) => {
      const event = example("feedback.created");
      const body = JSON.stringify({ ...event, data: { ...event.data, body: "long ".repeat(52_429) } });
      return taken(await receiver.send({ event: event.event, body }));
    },
  },
  {
    name: "raw_bytes",
    title: "A body with blanks and escapes of its own is taken",
    why: "The signature is of the bytes that came. JSON that was parsed and printed again has other bytes.",
    run: async (receiver) => {
      const body = JSON.stringify(example("invoice.paid"), null, 2)
        .replace("1250.5", "1250.50")
        .replace(/o/, "\\u006f");
      return taken(await receiver.send({ body }));
    },
  },
  {
    name: "unicode",
    title: "Names in any script are taken",
    why: "The signature is of UTF-8 bytes: read the body as bytes or as UTF-8, never as Latin-1.",
    run: async (receiver) => {
      const { data, ...rest } = example("invoice.paid");
      const body = JSON.stringify({ ...rest, data: { ...data, client_name: "Søren & 東京 🎨" } });
      return taken(await receiver.send({ body }));
    },
  },
  {
    name: "duplicate",
    title: "The same delivery a second time is answered with 2xx",
    why: "Delivery is at least once. Do the work once by webhook-id, and say that it is done.",
    run: async (receiver) => {
      const delivery = receiver.delivery();
      return firstProblem([await receiver.send(delivery), await receiver.send(delivery)]);
    },
  },
  {
    name: "replay",
    title: "A replay by an admin, the same id under a new timestamp, is taken",
    why: "A replay keeps the original webhook-id; its timestamp and signature are those of the new attempt.",
    run: async (receiver) => {
      const delivery = receiver.delivery({ timestampSeconds: nowSeconds() - 60 });
      const replayed = { ...delivery, attempt: 2, timestampSeconds: nowSeconds() };
      return firstProblem([await receiver.send(delivery), await receiver.send(replayed)]);
    },
  },
  {
    name: "reordered",
    title: "An older event behind a newer one about the same record is taken",
    why: "Deliveries come in any order. Leave the newer state as it is, and answer 2xx.",
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
    title: "The retry of an attempt that failed halfway is taken",
    why: "An id is done when its work is done, not when its headers came: else the failed one is lost for good.",
    run: async (receiver) => {
      const delivery = receiver.delivery();
      await receiver.breakOff(delivery);
      return taken(await receiver.send({ ...delivery, attempt: 2, timestampSeconds: nowSeconds() }));
    },
  },
  {
    name: "burst",
    title: "Twenty deliveries at once are taken",
    why: "A batch of invoices that fall due at midnight arrives together.",
    run: async (receiver) => {
      const body = JSON.stringify(example("invoice.paid"));
      return firstProblem(await Promise.all(Array.from({ length: 20 }, () => receiver.send({ body }))));
    },
  },
];
