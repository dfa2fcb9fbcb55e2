import { describe, expect, it } from "vitest";
import * as z from "zod";
import { platformOperation, workspaceOperation } from "./operation.ts";
import { operations } from "./operations.ts";

const fieldOf = (operation: string, field: string): z.core.$ZodType => {
  const schema = operations[operation]?.input.shape[field];
  if (!schema) throw new Error(`${operation} has no ${field}`);
  return schema;
};
const takes = (operation: string, field: string, value: unknown) =>
  (fieldOf(operation, field) as z.ZodType).safeParse(value).success;

describe("operation fields", () => {
  it.each([
    ["audit-log", "limit", 1, 1000, 50],
    ["list-processor-events", "limit", 1, 200, 50],
    ["list-webhook-deliveries", "limit", 1, 1000, 50],
    ["replay-webhook-deliveries", "limit", 1, 20_000, 20_000],
    ["record-revision-override", "rounds", 1, 1000, undefined],
    ["rotate-webhook-secret", "overlap_hours", 0, 720, 24],
    ["roll-api-token", "overlap_hours", 0, 720, 24],
  ])("%s accepts %s from %i to %i, with the default %s", (operation, field, least, most, byDefault) => {
    const taken = [least - 1, least, most, most + 1].map((number) => takes(operation, field, number));
    expect(taken).toEqual([false, true, true, false]);
    const { data } = (fieldOf(operation, field) as z.ZodType).safeParse(undefined);
    expect(data).toBe(byDefault);
  });

  it.each([
    ["clear-deposit", "collected_via", "offline"],
    ["create-client", "sample", false],
    ["create-organization", "currency", "USD"],
    ["mark-invoice-paid", "collected_via", "offline"],
    ["record-feedback", "kind", "comment"],
    ["record-payment", "collected_via", "offline"],
    ["replay-webhook-deliveries", "dry_run", false],
    ["replay-webhook-deliveries", "status", "dead"],
    ["send-change-decision", "kind", "decision"],
  ])("%s defaults %s to %j", (operation, field, byDefault) => {
    expect((fieldOf(operation, field) as z.ZodType).parse(undefined)).toBe(byDefault);
  });

  it.each([
    ["create-organization", "name", 1, 200],
    ["create-organization", "owner_name", 0, 200],
    ["create-organization", "slug", 1, 63],
    ["set-on-send-status", "label", 0, 100],
    ["set-member", "name", 0, 200],
    ["create-api-token", "name", 1, 200],
    ["allow-origin", "origin", 0, 2000],
    ["remove-origin", "origin", 0, 2000],
    ["record-revision-override", "reason", 1, 1000],
    ["record-feedback", "body", 1, 5000],
    ["record-feedback", "author_name", 1, 200],
    ["sign-off-deliverable", "signer_name", 1, 200],
    ["create-change-order", "title", 1, 200],
    ["send-change-decision", "title", 1, 200],
    ["create-webhook-endpoint", "url", 0, 2000],
    ["create-webhook-endpoint", "description", 0, 200],
    ["list-webhook-deliveries", "event", 0, 100],
    ["match-processor-event", "id", 1, 255],
    ["erase-client", "position", 0, 2000],
    ["export-organization", "position", 0, 2000],
  ])("%s accepts a %s of %i to %i characters", (operation, field, min, max) => {
    const taken = [min - 1, min, max, max + 1].map(
      (length) => length >= 0 && takes(operation, field, "x".repeat(length)),
    );
    expect(taken).toEqual([false, true, true, false]);
  });

  it.each([
    "create-change-order amount 0 true",
    "create-deposit amount 0 false",
    "create-deposit amount 0.01 true",
    "match-processor-event amount 0 false",
    "record-payment amount 0 false",
    "record-payment amount 1000000000000 true",
    "record-payment amount 1000000000001 false",
  ])("checks the range of an amount: %s", (line) => {
    const [operation = "", field = "", amount, isTaken] = line.split(" ");
    expect(takes(operation, field, Number(amount))).toBe(isTaken === "true");
  });
});

it("an operation returns only the fields in its result schema", async () => {
  const declared = {
    summary: "",
    input: z.strictObject({}),
    answer: z.object({ id: z.string() }),
    run: async () => ({ id: "1", secret_encrypted: "2" }),
  };
  const context: never = {} as never;
  for (const { prepare } of [platformOperation(declared), workspaceOperation({ ...declared, action: "" })]) {
    const prepared = prepare({});
    expect("run" in prepared && (await prepared.run(context))).toEqual({ id: "1" });
  }
});
