import fc from "fast-check";
import { expect, it } from "vitest";
import { operations } from "../../src/operations/operations.ts";
import { callAdmin } from "../support/admin.ts";
import { makeDeliverable, makeStudio } from "../support/review.ts";

const runsPerOperation = 8;

/** Skipped because random host names must not be looked up. */
const skipped = new Set(["create-webhook-endpoint"]);

it.each(Object.entries(operations).filter(([name]) => !skipped.has(name)))(
  "%s returns a result or an error with a message, whatever the fields are",
  async (name, { input }) => {
    const studio = await makeStudio();
    const known = [studio.clientId, studio.projectId, await makeDeliverable(studio), studio.ownerEmail];
    const value = fc.oneof(
      fc.constantFrom(
        ...known,
        "",
        "true",
        "-0",
        "1e9",
        "99999999999999999999",
        "0.001",
        "2026-02-30",
        "a,b",
        "\0",
      ),
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({ minLength: 20_000, maxLength: 20_000 }),
      fc.anything(),
    );
    const fields = fc.record(Object.fromEntries(Object.keys(input.shape).map((field) => [field, value])), {
      requiredKeys: [],
    });
    const property = fc.asyncProperty(fields, async (given) => {
      const cloneable = JSON.parse(JSON.stringify(given)) as object;
      const outcome = await callAdmin(name, { organization: studio.organizationId, ...cloneable });
      if (outcome.ok) return;
      expect(outcome.message).not.toBe("Unexpected error");
      expect(outcome.message.length).toBeGreaterThan(3);
    });
    await fc.assert(property, { numRuns: runsPerOperation });
  },
);
