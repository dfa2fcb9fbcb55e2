import { flagConditions } from "../../core/pages.ts";
import { resource } from "../../core/resource.ts";
import { Deliverable } from "./record.ts";
import { deliverables as table } from "./tables.ts";

export const deliverableResource = resource(table, Deliverable, {
  scope: "deliverable:read",
  more: {},
  complete: (deliverable) => deliverable,
  conditions: { is_sample: flagConditions(table.is_sample) },
  withoutIndex: ["is_sample=false"],
});
