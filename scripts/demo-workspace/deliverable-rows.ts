import { readFileSync } from "node:fs";
import { join } from "node:path";
import { imageFormatOf } from "../../src/contract/image-formats.ts";
import { type AssetFields, assetFields, assetOf } from "../../src/core/images/asset.ts";
import { storedImages } from "../../src/core/images/tables.ts";
import { shareUrl } from "../../src/review/access/share-url.ts";
import { hashVersion } from "../../src/review/deliverables/insert-version.ts";
import { deliverableSends, deliverables, deliverableVersions } from "../../src/review/deliverables/tables.ts";
import type { Version } from "../../src/review/deliverables/version.ts";
import { feedback } from "../../src/review/feedback/tables.ts";
import { consentText, consentVersion } from "../../src/review/sign-offs/consent.ts";
import { signOffs } from "../../src/review/sign-offs/tables.ts";
import type { DeliverableDocument, DeliverableStep, Moment } from "./document.ts";
import { type ClientIds, countSentMail, type Draft, insertRow, memberId } from "./rows.ts";

export const picturesFolder = join(import.meta.dirname, "pictures");

export function addDeliverable(draft: Draft, ids: ClientIds, document: DeliverableDocument): void {
  const { id = crypto.randomUUID(), at, title, project, embed_url = null, image } = document;
  const { note = null, history = [] } = document;
  const { organizationId: organization_id, ownerId: created_by, baseUrl, linkPrefix } = draft;
  const versionId = crypto.randomUUID();
  const asset = assetFields(image ? storeImage(draft, at, versionId, image) : null);
  insertRow(draft, at, deliverables, {
    id,
    organization_id,
    client_id: ids.clientId,
    project_id: project && ids.projects.get(project),
    title,
    embed_url,
    asset_path: asset.asset_path,
    share_url: shareUrl(null, baseUrl, linkPrefix),
    is_sample: ids.isSample,
    created_by,
    created_at: at,
    updated_at: at,
  });
  let newest = addVersion(draft, {
    id: versionId,
    deliverable_id: id,
    version_number: 1,
    title,
    embed_url,
    ...asset,
    note,
    previous_hash: null,
    created_by,
    created_at: at,
  });
  for (const step of history) newest = addStep(draft, newest, step);
}

function storeImage(draft: Draft, at: Moment, versionId: string, file: string): AssetFields["asset_path"] {
  const bytes = Uint8Array.from(readFileSync(join(picturesFolder, file)));
  const format = imageFormatOf(bytes);
  if (typeof format !== "object") throw new Error(`${file} ${format ?? "is not an image"}`);
  const { organizationId: organization_id } = draft;
  const asset = assetOf({ organizationId: organization_id, key: versionId }, { bytes, format });
  const { path } = asset;
  insertRow(draft, at, storedImages, { path, organization_id, bytes: bytes.byteLength, created_at: at });
  draft.images.push(asset);
  return path;
}

function addVersion(draft: Draft, unhashed: Omit<Version, "hash">): Version {
  const version = hashVersion(unhashed);
  insertRow(draft, version.created_at, deliverableVersions, {
    ...version,
    organization_id: draft.organizationId,
  });
  return version;
}

function addStep(draft: Draft, newest: Version, step: DeliverableStep): Version {
  const { hash, ...previous } = newest;
  const { deliverable_id, version_number } = newest;
  const about = { organization_id: draft.organizationId, deliverable_id, version_number };
  const id = crypto.randomUUID();
  const { at } = step;
  if ("sent" in step) {
    const { by, message } = step.sent;
    const sent = { message, sent_by: memberId(draft, by), sent_at: at };
    insertRow(draft, at, deliverableSends, { id, ...about, ...sent });
    countSentMail(draft, at);
  } else if ("feedback" in step) {
    const { anchor, ...said } = step.feedback;
    const pin = anchor ? { anchor_x: anchor.x, anchor_y: anchor.y } : {};
    const known = { attribution: "mailed_link", created_at: at } as const;
    insertRow(draft, at, feedback, { id, ...about, ...said, ...pin, ...known });
  } else if ("signed_off_by" in step) {
    insertRow(draft, at, signOffs, {
      id,
      ...about,
      signer_name: step.signed_off_by,
      attribution: "mailed_link",
      consent: consentText(newest.title, version_number, draft.organizationName),
      consent_version: consentVersion,
      ip_address: "203.0.113.24",
      user_agent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) Safari/604.1",
      created_at: at,
    });
  } else {
    const { image, ...changed } = step.version;
    const asset = image === undefined ? {} : assetFields(storeImage(draft, at, id, image));
    return addVersion(draft, {
      ...previous,
      ...changed,
      ...asset,
      id,
      version_number: version_number + 1,
      previous_hash: hash,
      created_at: at,
    });
  }
  return newest;
}
