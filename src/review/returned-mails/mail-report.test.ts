import { describe, expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import { readMailEvent, reasonOf } from "./mail-report.ts";

const receivedAt = new Date("2026-06-02T00:00:00.000Z");

/** An event as documented by Cloudflare, with the fields for its kind. */
const documented = (kind: string, more: object = {}) => ({
  type: `cf.email.sending.message.${kind}`,
  source: { type: "email.sending", zoneId: "023e105f4ecef8ad9ca31a8372d0c353", domain: "example.com" },
  payload: {
    eventId: "0190d0c4-7ea1-7af2-8b88-c1d2e3f4a5b6",
    messageId: "0101018f7d0c4d9a-msg",
    sender: "receipts@send.example.com",
    recipient: "user@example.net",
    subject: "Your receipt",
    terminal: true,
    delivery: { status: kind },
    ...more,
  },
  metadata: {
    accountId: "f9f79265f388666de8122cfb508d7776",
    eventSubscriptionId: "1830c4bb612e43c3af7f4cada31fbf3f",
    eventSchemaVersion: 1,
    eventTimestamp: "2026-06-01T02:48:57.132Z",
  },
});

const hard = { type: "hard", classification: "permanent_failure", reason: "550 5.1.1 User unknown" };
const soft = { type: "soft", classification: "temporary_failure", reason: "451 4.2.0 Mailbox error" };

describe("readMailEvent", () => {
  it.each([
    ["bounced", { bounce: hard }, "550 5.1.1 User unknown"],
    ["bounced", { bounce: soft }, "451 4.2.0 Mailbox error"],
    [
      "rejected",
      { rejection: { reason: "suppressed", party: "recipient", detail: "Recipient is suppressed" } },
      "Recipient is suppressed",
    ],
    ["failed", { failure: { reason: "delivery_failed" } }, "delivery_failed"],
    ["complained", { complaint: { type: "abuse" }, terminal: false }, "abuse"],
    [
      "bounced",
      { delivery: { smtpResponse: "550 No such user" }, bounce: { type: "hard" } },
      "550 No such user",
    ],
    ["failed", { failure: null, delivery: "failed" }, null],
  ])("reads %s as documented, with its reason", (kind, more, reason) => {
    expect(readMailEvent(documented(kind, more), receivedAt)).toEqual({
      messageId: "0101018f7d0c4d9a-msg",
      kind,
      at: "2026-06-01T02:48:57.132Z",
      reason,
    });
  });

  it.each([
    ["delivered", {}],
    ["deferred", { terminal: false, bounce: soft }],
    ["bounced", { terminal: false, bounce: soft }],
    ["opened", {}],
  ])("returns null for %s with %j", (kind, more) => {
    expect(readMailEvent(documented(kind, more), receivedAt)).toBeNull();
  });

  it.each([
    [null],
    ["bounced"],
    [{}],
    [{ ...documented("bounced"), type: "cf.kv.namespace.created" }],
    [documented("bounced", { messageId: 7 })],
    [documented("bounced", { messageId: "<>" })],
    [documented("bounced", { messageId: "x".repeat(limits.messageIdCharacters + 1) })],
  ])("rejects %j", (body) => {
    expect(readMailEvent(body, receivedAt)).toBeInstanceOf(Error);
  });

  it("removes angle brackets from the message id, and defaults to the time of receipt", () => {
    const event = { ...documented("bounced", { messageId: " <a1B2@example.com> " }), metadata: {} };
    expect(readMailEvent(event, receivedAt)).toMatchObject({
      messageId: "a1B2@example.com",
      at: receivedAt.toISOString(),
    });
  });
});

it("a bounce reason is one line of at most 500 characters, without addresses", () => {
  expect(reasonOf("550 <Nora@Northwind.example>:\r\nno mailbox")).toBe("550 <[address]>: no mailbox");
  expect([...(reasonOf("é".repeat(600)) ?? "")]).toHaveLength(limits.problemReasonCharacters);
  expect(reasonOf(" ")).toBeNull();
});
