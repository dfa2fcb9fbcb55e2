import * as z from "zod";
import { imageFormats } from "../../contract/image-formats.ts";
import { limits } from "../../contract/limits.ts";
import { Refusal, refuse } from "../../contract/refusal.ts";
import { isOverStorage } from "../../core/images/storage.ts";
import { imageResponse } from "../../http/image-response.ts";
import { recordPath } from "../../http/list-route.ts";
import { CreationParameters, invalidCursor, ListPage, pageBy, positionIn } from "../../http/pagination.ts";
import { read } from "../../http/read.ts";
import type { ReadRequest } from "../../http/route.ts";
import { write } from "../../http/write.ts";
import { newId } from "../../platform/new-id.ts";
import {
  appendVersion,
  findWorkingCopy,
  requireRevisable,
} from "../../review/deliverables/append-version.ts";
import { findVersion, readVersion, versionsPage } from "../../review/deliverables/read-versions.ts";
import { NewVersion, Version } from "../../review/deliverables/version.ts";

const described = { tag: "Deliverables", scope: "deliverable:read" } as const;

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

export const listDeliverableVersions = read({
  ...described,
  path: "/api-v1/deliverables/{id}/versions",
  operationId: "listDeliverableVersions",
  summary: "List a deliverable's versions",
  description: "Sorted by version_number, ascending. Follow `next_cursor` until it is null.",
  params: recordPath(example.deliverable_id),
  query: CreationParameters,
  answer: ListPage(Version),
  answerDescription: "One page",
  examples: { answer: { data: [example], next_cursor: null } },
  failures: ["not_found"],
  load({ tokenHash, params, query: { cursor, limit, updated_since = "" } }) {
    const from = cursor === undefined ? 1 : Number(positionIn(cursor) ?? Number.NaN);
    if (!Number.isSafeInteger(from)) return invalidCursor();
    return versionsPage({ tokenHash, id: params.id, from, since: updated_since, limit: limit + 1 });
  },
  present(versions, { params, query, services: { cursorKeys } }, { principal: { organizationId } }) {
    if (!versions) return refuse("not_found");
    const route = `/api-v1/deliverables/${params.id}/versions`;
    const list = { route, organizationId, cursorKeys, mayBeLarge: true };
    return pageBy(versions, query, list, ({ version_number }) => String(version_number));
  },
});

const VersionPath = recordPath(example.deliverable_id).extend({
  n: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, "n must be a version number")
    .transform(Number)
    .meta({
      override: { type: "integer", pattern: undefined, minimum: 1 },
      description: "The version's number",
      example: 2,
    }),
});

const oneVersion = {
  ...described,
  params: VersionPath,
  failures: ["not_found"],
  load: ({ tokenHash, params: { id, n } }: ReadRequest<z.output<typeof VersionPath>, unknown>) =>
    findVersion({ tokenHash, id, number: n }),
} as const;

export const getDeliverableVersion = read({
  ...oneVersion,
  path: "/api-v1/deliverables/{id}/versions/{n}",
  operationId: "getDeliverableVersion",
  summary: "Get a version",
  answer: Version,
  answerDescription: "The version",
  examples: { answer: example },
  present: (version) => version ?? refuse("not_found"),
});

export const getDeliverableVersionImage = read({
  ...oneVersion,
  path: "/api-v1/deliverables/{id}/versions/{n}/image",
  operationId: "getDeliverableVersionImage",
  summary: "Get a version's image",
  description:
    "Streams the stored image. `ETag` is the image's SHA-256. With `If-None-Match`, the response is 304 if the " +
    "image is unchanged. With `Range`, it is a part of the image. Returns 404 if the version has no image.",
  failures: [...oneVersion.failures, "range_not_satisfiable", "storage_unavailable"],
  contentTypes: imageFormats.map(({ contentType }) => contentType),
  answer: z.string(),
  answerDescription: "The image",
  examples: { answer: "" },
  present(version, { services, headers }) {
    const { asset_path: path, asset_content_type: contentType, asset_sha256: sha256 } = version ?? {};
    if (!path || !contentType || !sha256) return refuse("not_found");
    return imageResponse(services.images, { path, contentType, sha256 }, headers);
  },
});

export const postDeliverableVersion = write({
  path: "/api-v1/deliverables/{id}/versions",
  operationId: "createDeliverableVersion",
  tag: "Deliverables",
  summary: "Append a version; omitted fields keep their values",
  description:
    "Adds an immutable snapshot that becomes the working copy and starts a new review. If you omit " +
    "`image_base64`, the version keeps the current image. A new version uses one of the project's revision " +
    "rounds, but does not count toward the plan's deliverable limit.",
  scope: "deliverable:write",
  params: recordPath(example.deliverable_id),
  body: NewVersion,
  refusesNulls: true,
  maximumBodyBytes: limits.imageBodyBytes,
  answer: Version,
  answerDescription: "The version",
  examples: { body: { note: "Larger headline" }, answer: example },
  failures: [
    "not_found",
    "deliverable_signed_off",
    "too_many_versions",
    "revision_over_budget",
    "plan_storage_cap",
    "storage_unavailable",
  ],
  action: "deliverable.version_added",
  load: ({ tokenHash, params }) => findWorkingCopy(tokenHash, params.id),
  decide(context, { tokenHash, body, entry }, found) {
    const copy = requireRevisable(found);
    if (copy instanceof Refusal) return copy;
    if (isOverStorage(body.image_base64, copy.storageLeftBytes)) return refuse("plan_storage_cap");
    const id = newId();
    const entryFor = (version_number: number) => entry(copy.deliverableId, { version_number });
    return () => appendVersion(context, { id, tokenHash }, body, copy, entryFor);
  },
  recall: (organizationId, { subjectId: deliverableId, details }) =>
    readVersion({ organizationId, deliverableId, number: Number(details.version_number) }),
});
