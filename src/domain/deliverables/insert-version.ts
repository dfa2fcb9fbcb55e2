import canonicalize from "canonicalize";
import type { Version } from "../../contract/resources/version.ts";
import type { Query } from "../../db/query.ts";
import { sha256Hex } from "../../platform/digest.ts";

/** SHA-256 of the RFC 8785 canonical JSON of every field of a version but its id and the hash itself. */
function versionHash(version: Omit<Version, "id" | "hash">): string {
  const { id: _, hash: __, ...hashed } = version as Version;
  return sha256Hex(canonicalize(hashed) ?? "");
}

export const hashVersion = (version: Omit<Version, "hash">): Version => ({
  ...version,
  hash: versionHash(version),
});

const insertSql = `
INSERT INTO deliverable_versions (id, organization_id, deliverable_id, version_number, title, embed_url, asset_path,
  asset_content_type, asset_sha256, note, previous_hash, hash, created_by, request_fingerprint, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Writes a sealed version; the database holds it to the chain and makes it the working copy. */
export const insertVersion = (
  version: Version,
  organizationId: string,
  fingerprint: string | null,
): Query<Version> => ({
  sql: insertSql,
  params: [
    version.id,
    organizationId,
    version.deliverable_id,
    version.version_number,
    version.title,
    version.embed_url,
    version.asset_path,
    version.asset_content_type,
    version.asset_sha256,
    version.note,
    version.previous_hash,
    version.hash,
    version.created_by,
    fingerprint,
    version.created_at,
  ],
  read: () => version,
});
