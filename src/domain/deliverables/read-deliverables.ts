import { Deliverable } from "../../contract/resources/deliverable.ts";
import { resource } from "../../db/resource.ts";
import { deliverables as table } from "../../db/schema/review.ts";

export const deliverableResource = resource(table, Deliverable, {
  scope: "deliverable:read",
  more: {},
  complete: (deliverable) => deliverable,
});
