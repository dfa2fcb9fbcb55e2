import assert from "node:assert/strict";
import { sign as signLegacy } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import { type ClientGiven, type ClientScenario, errorOf, resultOf, type Stage } from "../stage.ts";

/** Independent libraries sign the deliveries, so that no client verifies its own signatures. */
const secretOf = (letter: string) => `whsec_${Buffer.alloc(32, letter).toString("base64")}`;
const [secret, old, fresh] = [secretOf("a"), secretOf("o"), secretOf("n")];
const body = '{"event":"invoice.paid","data":{"client_name":"Öster & Søn"}}';
const id = "delivery-1";

interface Delivery {
  body?: string | Buffer;
  headers?: Record<string, string>;
  secrets?: string | string[];
  scheme?: "legacy";
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

const signature = (by: string, at: number) => new Webhook(by).sign(id, new Date(at * 1000), body);

/** A delivery's headers, signed with each secret. `change` tampers with the signatures. */
const signed = (by: string | string[] = secret, change = (ours: string) => ours, at = nowSeconds()) => ({
  "webhook-id": id,
  "webhook-timestamp": String(at),
  "webhook-signature": change(
    [by]
      .flat()
      .map((held) => signature(held, at))
      .join(" "),
  ),
});

function verify({ ask }: Stage, { body: given = body, headers = {}, secrets = secret, scheme }: Delivery) {
  const client: ClientGiven = {
    baseUrl: "http://127.0.0.1:1",
    apikey: "pk",
    token: "svc",
    webhookSecret: secrets,
  };
  const raw = Buffer.from(given).toString("base64");
  return ask("verify", client, { raw, headers, ...(scheme ? { scheme } : {}) });
}

const held = async (stage: Stage, delivery: Delivery) =>
  assert.deepEqual(resultOf(await verify(stage, delivery)), JSON.parse(body));

const refused = async (stage: Stage, delivery: Delivery, message?: string) => {
  const error = errorOf(await verify(stage, delivery));
  assert.deepEqual([error.name, error.retryable], ["WebhookVerificationError", false], error.message);
  if (message !== undefined) assert.equal(error.message, message);
};

const changed = (name: string, value: string): Record<string, string> => ({
  ...signed(),
  [name]: value,
});

/** Deliveries that fail verification. */
const forgeries: [what: string, delivery: () => Delivery][] = [
  ["a changed body", () => ({ body: `${body} `, headers: signed() })],
  [
    "a parsed and re-serialized body",
    () => ({
      body: JSON.stringify(JSON.parse(body), null, 1),
      headers: signed(),
    }),
  ],
  ["a signature with another secret", () => ({ headers: signed(old) })],
  ["a changed id", () => ({ headers: changed("webhook-id", "delivery-2") })],
  ["a changed timestamp", () => ({ headers: changed("webhook-timestamp", String(nowSeconds() - 60)) })],
  ["a truncated signature", () => ({ headers: signed(secret, (ours) => ours.slice(0, -4)) })],
  ["a signature that is not base64", () => ({ headers: changed("webhook-signature", "v1,!!!") })],
  [
    "a signature with another scheme's name",
    () => ({ headers: signed(secret, (ours) => `v2${ours.slice(2)}`) }),
  ],
  ["a signature without a scheme", () => ({ headers: signed(secret, (ours) => ours.slice(3)) })],
];

export const webhookScenarios: ClientScenario[] = [
  {
    promise: "Accepts a delivery signed by the service",
    run: (stage) => held(stage, { headers: signed() }),
  },
  {
    promise: "Accepts header names in any case",
    async run(stage) {
      const headers = Object.entries(signed());
      const cased = headers.map(([name, value]) => [
        name.replaceAll(/\b[a-z]/g, (one) => one.toUpperCase()),
        value,
      ]);
      await held(stage, { headers: Object.fromEntries(cased) });
    },
  },
  {
    promise: "Accepts a delivery with either secret while the service rotates the secret",
    async run(stage) {
      const headers = signed([fresh, old]);
      for (const secrets of [old, fresh]) await held(stage, { headers, secrets });
      await refused(stage, { headers });
    },
  },
  {
    promise: "Accepts a delivery that is signed with either of two configured secrets",
    async run(stage) {
      for (const by of [old, fresh]) await held(stage, { headers: signed(by), secrets: [fresh, old] });
    },
  },
  {
    promise: "Ignores signatures with unknown schemes",
    run: (stage) => held(stage, { headers: signed(secret, (ours) => `v2,abc v1a,!!! ${ours}`) }),
  },
  {
    promise: "Accepts a timestamp at most five minutes in the past or in the future",
    async run(stage) {
      const at = (seconds: number) => ({ headers: signed(secret, undefined, nowSeconds() + seconds) });
      for (const seconds of [-297, 297]) await held(stage, at(seconds));
      await refused(stage, at(-301), "webhook-timestamp is too old");
      await refused(stage, at(303), "webhook-timestamp is in the future or not a number");
    },
  },
  {
    promise: "Rejects a timestamp that is not a number",
    async run(stage) {
      const now = nowSeconds();
      const times = [`${now}.5`, `-${now}`, ` ${now}`, "1e9", "yesterday", "9".repeat(5000), "١٧٦٩٨٥١٨٠٠"];
      for (const timestamp of times) {
        const message = "webhook-timestamp is in the future or not a number";
        await refused(stage, { headers: changed("webhook-timestamp", timestamp) }, message);
      }
    },
  },
  {
    promise: "Rejects a delivery without a required header, and names the header",
    async run(stage) {
      for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
        const { [name]: _, ...without } = changed(name, "");
        await refused(stage, { headers: without }, `${name} is missing`);
        await refused(stage, { headers: changed(name, "") }, `${name} is missing`);
      }
    },
  },
  ...forgeries.map(
    ([what, delivery]): ClientScenario => ({
      promise: `Rejects ${what}`,
      run: (stage) => refused(stage, delivery()),
    }),
  ),
  {
    promise: "Accepts a legacy signature if requested, even during a rotation",
    async run(stage) {
      const ours = await signLegacy(secret, body);
      const next = await signLegacy(fresh, body);
      for (const given of [ours, `${next},${ours}`, `${next}, ${ours}`]) {
        await held(stage, { headers: { "X-Svc-Signature": given }, scheme: "legacy" });
      }
    },
  },
  {
    promise: "Rejects a legacy signature with another secret, for another body or in another format",
    async run(stage) {
      const headers = { "x-svc-signature": await signLegacy(secret, body) };
      await refused(stage, { headers: { "x-svc-signature": await signLegacy(old, body) }, scheme: "legacy" });
      await refused(stage, { headers, body: `${body} `, scheme: "legacy" });
      await refused(stage, { headers: { "x-svc-signature": "sha1=abc" }, scheme: "legacy" });
      await refused(stage, { headers: signed(), scheme: "legacy" }, "x-svc-signature is missing");
    },
  },
  {
    promise: "Rejects a delivery that has only a legacy signature by default",
    async run(stage) {
      await refused(stage, { headers: { "x-svc-signature": await signLegacy(secret, body) } });
    },
  },
  {
    promise: "Reports an invalid secret as a configuration error, not as a forgery",
    async run(stage) {
      for (const none of ["whsec_!", "whsec_", Buffer.from("a").toString("base64")]) {
        const outcome = await verify(stage, { headers: signed(), secrets: none });
        assert.equal(errorOf(outcome).isOurs, false);
      }
    },
  },
  {
    promise: "Signs test deliveries as the service does",
    async run({ ask }) {
      const at = nowSeconds();
      const client = { baseUrl: "", apikey: "", token: "" };
      const ours = resultOf(await ask("sign", client, { sign: [id, at, body, secret] }));
      assert.equal(ours, signature(secret, at));
    },
  },
];
