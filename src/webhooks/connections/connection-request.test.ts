import { describe, expect, it } from "vitest";
import { readableWith, readRequest, redirectTo } from "./connection-request.ts";

const right = {
  response_type: "code",
  client_id: "https://timer.example/app",
  redirect_uri: "https://timer.example/back?kept=%20",
  scope: "client:read invoice:read",
  state: "s & t",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
};

const read = (changes: Record<string, string | undefined> = {}, more = "") => {
  const given = Object.entries({ ...right, ...changes }).filter(([, value]) => value !== undefined);
  return readRequest(new URLSearchParams(`${new URLSearchParams(given as [string, string][])}${more}`));
};

describe("a connection request [J2]", () => {
  it("ignores repeated scopes, unknown parameters and webhook events that its scopes cannot read", () => {
    const webhook_url = "https://timer.example/hooks";
    expect(read({ scope: " client:read  client:read ", state: "" }, "&prompt=none")).toMatchObject({
      scopes: ["client:read"],
      state: undefined,
      webhook: null,
    });
    expect(read({ webhook_url })).toMatchObject({ webhook: { url: webhook_url, events: ["money"] } });
    const webhook_events = "invoice.paid, delivery,invoice.paid,change_order.signed";
    expect(read({ webhook_url, webhook_events })).toMatchObject({ webhook: { events: ["invoice.paid"] } });
    expect(readableWith(["deliverable:read"], ["invoice.paid", "delivery", "signoff.recorded"])).toEqual([
      "delivery",
      "signoff.recorded",
    ]);
  });

  it.each([
    [{ response_type: undefined }, "invalid_request"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ scope: undefined }, "invalid_scope"],
    [{ scope: " " }, "invalid_scope"],
    [{ scope: "client:read everything" }, "invalid_scope"],
    [{ scope: "invoice:issue" }, "invalid_scope"],
    [{ code_challenge: undefined }, "invalid_request"],
    [{ code_challenge: "short" }, "invalid_request"],
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ code_challenge_method: undefined }, "invalid_request"],
    [{ webhook_events: "invoice.paid" }, "invalid_request"],
    [{ webhook_url: "https://timer.example/", webhook_events: "invoice.eaten" }, "invalid_request"],
    [{ webhook_url: `https://timer.example/${"a".repeat(2000)}` }, "invalid_request"],
  ])("gets an OAuth error with a reason if it is invalid: %o", (changes, error) => {
    expect(read(changes)).toMatchObject({ error, why: expect.stringMatching(/^It .*\.$/) });
  });

  it("is invalid with a repeated parameter, and unreadable with a repeated address or a query that is too long", () => {
    expect(read({}, "&state=another")).toMatchObject({ error: "invalid_request" });
    expect(read({}, "&client_id=https%3A%2F%2Fevil.example")).toBeNull();
    expect(read({}, "&redirect_uri=https%3A%2F%2Fevil.example")).toBeNull();
    expect(read({ state: "a".repeat(4000) })).toBeNull();
  });
});

it("the redirect adds the result and the issuer to the redirect URI and keeps its other parameters [J4]", () => {
  const request = read();
  expect(request && redirectTo(request, "https://app.example.com", { code: "c" })).toBe(
    "https://timer.example/back?kept=%20&code=c&state=s+%26+t&iss=https%3A%2F%2Fapp.example.com",
  );
});
