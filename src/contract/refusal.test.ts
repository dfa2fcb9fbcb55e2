import { describe, expect, it } from "vitest";
import { bodyOf, statusOfOperation } from "../http/responses.ts";
import { refuse } from "./refusal.ts";

describe("a refusal", () => {
  it("has its own format at each entry point", () => {
    const refusal = refuse("deliverable_signed_off");
    const { text, hint, alert } = refusal;
    expect({ text, hint, alert }).toEqual({
      text: "This deliverable is signed off",
      hint: null,
      alert: "Nothing was sent because this work has been signed off.",
    });
    expect(bodyOf(refusal)).toEqual({ error: text, code: "deliverable_signed_off" });
    expect([refusal.status, statusOfOperation(refusal)]).toEqual([409, 400]);
  });

  it("requires the details that its catalog entry uses, at compile time", () => {
    // @ts-expect-error: a message that names a record needs its kind and id.
    refuse("record_not_found");
    // @ts-expect-error: no function of the entry uses this detail.
    refuse("record_not_found", { kind: "client", id: "1", status: "open" });
    const refusal = refuse("amount_needed", { currency: null, currencyOfInvoice: "EUR" });
    expect(refusal.text).toBe("This payment is in an unknown currency, but the invoice is in EUR");
    expect(refusal.hint).toBe("set amount to the payment's value in EUR");
  });

  it("is a 403 to admins for a missing plan feature, with the feature in the hint", () => {
    expect(statusOfOperation(refuse("plan_records_cap"))).toBe(403);
    expect(refuse("api_access_required").hint).toBe("upgrade_required:api_access");
  });

  it("includes Retry-After if its catalog entry or its caller sets a delay", () => {
    expect(refuse("too_many_forms").headers).toEqual({ "Retry-After": "60" });
    expect(refuse("rate_limit_exceeded", { retry_after_seconds: 7 }, { "Retry-After": "7" }).headers).toEqual(
      {
        "Retry-After": "7",
      },
    );
  });
});
