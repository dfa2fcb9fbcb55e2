import { resource } from "../../workspace/resource.ts";
import { Deliverable } from "./record.ts";
import { deliverables as table } from "./tables.ts";

export const deliverableResource = resource(table, Deliverable, {
  scope: "deliverable:read",
  more: {},
  complete: (deliverable) => deliverable,
});
