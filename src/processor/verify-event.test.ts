import { describe, expect, it } from "vitest";
import { intentSucceeded, signature, stripeIdOf } from "../../test/support/stripe.ts";
import { secretsOf } from "../platform/secret.ts";
import { verifyEvent } from "./verify-event.ts";

const now = 1_769_851_800;
const nowMs = now * 1000;
const secret = "whsec_current";
const event = intentSucceeded({ intent: stripeIdOf("pi"), amount: 100 });
const body = JSON.stringify(event);
const bytes = (text: string) => new TextEncoder().encode(text);

const verify = async (
  header: string,
  {
    secrets = [secret],
    payload = bytes(body),
    atMs = nowMs,
  }: { secrets?: readonly string[]; payload?: Uint8Array; atMs?: number } = {},
) => verifyEvent(payload, header, secrets, atMs);

describe("an event whose raw bytes are signed with the endpoint's secret [Y2]", () => {
  it("is parsed as sent", async () => {
    expect(await verify(await signature(body, secret, now))).toEqual(event);
  });

  it.each([
    ["another secret", () => signature(body, "whsec_other", now)],
    ["another body", () => signature(`${body} `, secret, now)],
    ["no signature", async () => ""],
    ["an unknown scheme", async () => (await signature(body, secret, now)).replace("v1=", "v0=")],
    ["no timestamp", async () => (await signature(body, secret, now)).replace(/t=\d+,/, "")],
    ["another timestamp", async () => (await signature(body, secret, now)).replace(`${now}`, `${now + 1}`)],
  ])("is rejected with %s", async (_, header) => {
    expect(await verify(await header())).toBeNull();
  });

  it("is rejected if a single byte differs, even in a body that is not valid UTF-8", async () => {
    const changed = bytes(body);
    changed[10] = 0xff;
    expect(await verify(await signature(body, secret, now), { payload: changed })).toBeNull();
    const marked = bytes(`\uFEFF${body}`);
    expect(await verify(await signature(body, secret, now), { payload: marked })).toBeNull();
  });

  it("is accepted within five minutes of its timestamp", async () => {
    const header = await signature(body, secret, now);
    expect(await verify(header, { atMs: nowMs + 300_999 })).toEqual(event);
    expect(await verify(header, { atMs: nowMs + 301_000 })).toBeNull();
  });

  it("is accepted with one of two secrets during a rotation, or with Stripe's two signatures", async () => {
    const secrets = secretsOf(" whsec_new , whsec_current ");
    expect(secrets).toEqual(["whsec_new", "whsec_current"]);
    expect(await verify(await signature(body, "whsec_new", now), { secrets })).toEqual(event);
    expect(await verify(await signature(body, secret, now), { secrets })).toEqual(event);
    const both = `${await signature(body, "whsec_old", now)},${(await signature(body, secret, now)).split(",")[1]}`;
    expect(await verify(both)).toEqual(event);
  });

  it("is never verified with an empty secret or with more than two secrets", async () => {
    expect(secretsOf("a,b,c")).toEqual(["a", "b"]);
    expect([secretsOf(undefined), secretsOf(""), secretsOf(" , ")]).toEqual([[], [], []]);
    expect(await verify(await signature(body, " ", now), { secrets: [] })).toBeNull();
  });

  it("is rejected if it is invalid JSON, even with a valid signature", async () => {
    expect(
      await verify(await signature("{not json", secret, now), { payload: bytes("{not json") }),
    ).toBeNull();
  });
});
