import { sql } from "drizzle-orm";
import { resource } from "../../workspace/resource.ts";
import { Deliverable } from "./record.ts";
import { deliverables as table } from "./tables.ts";

export const deliverableResource = resource(table, Deliverable, {
  scope: "deliverable:read",
  more: {},
  complete: (deliverable) => deliverable,
  conditions: { is_sample: { true: sql`${table.is_sample} = 1`, false: sql`${table.is_sample} = 0` } },
  withoutIndex: ["is_sample=false"],
});
