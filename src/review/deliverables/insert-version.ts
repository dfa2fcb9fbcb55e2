import canonicalize from "canonicalize";
import { inserting } from "../../db/build.ts";
import type { Query } from "../../db/query.ts";
import { sha256Hex } from "../../platform/digest.ts";
import { deliverableVersions } from "./tables.ts";
import type { Version } from "./version.ts";

/** Computes the SHA-256 of a version's fields, except id and hash, as RFC 8785 canonical JSON. */
function versionHash(version: Omit<Version, "id" | "hash">): string {
  const { id: _, hash: __, ...hashed } = version as Version;
  return sha256Hex(canonicalize(hashed) ?? "");
}

export const hashVersion = (version: Omit<Version, "hash">): Version => ({
  ...version,
  hash: versionHash(version),
});

const insertRow = inserting(deliverableVersions);

/** Inserts a hashed version. Triggers check its place in the chain and make it the working copy. */
export const insertVersion = (version: Version, organizationId: string): Query<unknown> =>
  insertRow({ ...version, organization_id: organizationId });
