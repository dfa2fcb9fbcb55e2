import * as z from "zod";
import { fromText } from "../../src/operations/from-text.ts";
import type { AdminOperation } from "../../src/operations/operation.ts";
import { images } from "./images.ts";

/** A placeholder for the workspace's unmatched payment. */
export const unmatchedEvent = "evt_";

/** Values for fields with a special meaning. Other fields get a value that matches their schema. */
const known: Record<string, () => string> = {
  id: () => unmatchedEvent,
  plan: () => "studio",
  currency: () => "EUR",
  events: () => "money",
  scopes: () => "client:read",
  origin: () => "https://review.example.com",
  since: () => "2020-01-31T09:30:00Z",
  until: () => "2099-01-31T09:30:00Z",
  url: () => "https://93.184.216.34/hook",
  http_status: () => "200",
  role: () => "member",
  allowed_ips: () => "203.0.113.7,2001:db8::/32",
  cell: () => "a",
  slug: () => `studio-${crypto.randomUUID()}`,
  position: () => '["clients"]',
  logo_base64: () => images.png,
  headers: () => '{"X-Gateway-Key": "k3y"}',
};
const values = ["10", "true", "2026-01-31", "someone@example.com", "#1f6feb", "404"];

const takes = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(fromText(z.object({ value: schema }), { value }).value).success;
const takesIds = (schema: z.ZodType) => takes(schema, crypto.randomUUID()) && !takes(schema, "no id");

function valueFor(field: string, schema: z.ZodType): unknown {
  const { enum: closed = [] } = z.toJSONSchema(schema, { unrepresentable: "any", io: "output" });
  // Prefers the last value of an enum, because a record usually has the first one already.
  const value = known[field]?.() ?? [...closed.toReversed(), ...values].find((each) => takes(schema, each));
  if (value === undefined) throw new Error(`name a value that ${field} takes`);
  return value;
}

export const idFieldsOf = ({ input }: AdminOperation) =>
  Object.entries<z.ZodType>(input.shape).flatMap(([field, schema]) => (takesIds(schema) ? [field] : []));

/** All fields of an operation, once for each combination of `ids` in its id fields. */
export function* fieldsWith(
  operation: AdminOperation,
  ids: readonly string[],
): Generator<Record<string, unknown>> {
  const idFields = idFieldsOf(operation);
  const plain = () =>
    Object.fromEntries(
      Object.entries<z.ZodType>(operation.input.shape).flatMap(([field, schema]) =>
        idFields.includes(field) ? [] : [[field, valueFor(field, schema)]],
      ),
    );
  if (idFields.length === 0) yield plain();
  // If there are three or more id fields, they are filters, which only narrow the result, so not every pair of ids is
  // tried.
  const others = idFields.length > 2 ? ids.slice(0, 1) : ids;
  for (const field of idFields) {
    for (const id of ids) {
      for (const other of idFields.length > 1 ? others : [id]) {
        yield { ...plain(), ...Object.fromEntries(idFields.map((each) => [each, other])), [field]: id };
      }
    }
  }
}
