import { Refusal } from "../../contract/failures.ts";
import { limits } from "../../contract/limits.ts";
import { NewVersion, Version } from "../../contract/resources/version.ts";
import {
  appendVersion,
  existingVersion,
  findWorkingCopy,
  revisable,
} from "../../domain/deliverables/append-version.ts";
import { RecordPath } from "../../http/list-route.ts";
import { authorshipOf, write } from "../../http/route.ts";

const example: Version = {
  id: "6f1d2c3b-4a59-4687-9e0f-1a2b3c4d5e6f",
  deliverable_id: "3c6e0b8a-9c15-4b7d-8f4e-5d2a1b0c9e87",
  version_number: 2,
  title: "Homepage concept",
  embed_url: "https://www.figma.com/embed?url=https%3A%2F%2Fwww.figma.com%2Ffile%2Fabc",
  asset_path: null,
  asset_content_type: null,
  asset_sha256: null,
  note: "Larger headline",
  previous_hash: "4d967a1e0f7d1bd8cb6f6d0c0c8a0f3c35a5b5f5a2b52b92d3c3ce65ee4c43c5",
  hash: "9b74c9897bac770ffc029102a200c5de6ec3f6ab8b21ed0b7f2f2d3c8c1d1f0e",
  created_by: "e0c1f2a3-4b5c-4d6e-8f70-8192a3b4c5d6",
  created_at: "2026-01-31T09:30:00.000Z",
};

export const postDeliverableVersion = write({
  path: "/api-v1/deliverables/{id}/versions",
  operationId: "createDeliverableVersion",
  tag: "Deliverables",
  summary: "Append a version; omitted fields stay as they are",
  description:
    "An immutable snapshot that becomes the working copy and starts a clean review. Omitting `image_base64` carries the " +
    "current image forward. Uses one revision round of the project, and nothing of the plan's deliverable limit.",
  scope: "deliverable:write",
  params: RecordPath,
  body: NewVersion,
  maximumBodyBytes: limits.imageBodyBytes,
  answer: Version,
  answerDescription: "The version",
  examples: { body: { note: "Larger headline" }, answer: example },
  failures: ["not_found", "deliverable_signed_off", "revision_over_budget", "storage_unavailable"],
  preconditions: ({ tokenHash, params }) => findWorkingCopy(tokenHash, params.id),
  findExisting: ({ principal, id }) => existingVersion({ organizationId: principal.organizationId, id }),
  plan(context, found) {
    const copy = revisable(found);
    if (copy instanceof Refusal) return copy;
    const { body, services, tokenHash } = context;
    return () => appendVersion(services, authorshipOf(context), tokenHash, body, copy);
  },
});
