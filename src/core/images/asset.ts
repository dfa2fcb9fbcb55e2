import { imageFormats } from "../../contract/image-formats.ts";
import type { Image } from "../../contract/image-input.ts";
import { sha256Hex } from "../../platform/digest.ts";
import type { NewEntry } from "../ledger/ledger.ts";

/** A version's image fields. */
export interface AssetFields {
  asset_path: string | null;
  asset_content_type: string | null;
  asset_sha256: string | null;
}

export interface Asset {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
  sha256: string;
}

export const imageFolder = (organizationId: string): string => `organizations/${organizationId}/`;

/**
 * Returns the storage key of an image's thumbnail. It sorts after all images of the organization. A thumbnail can be
 * created again, so it doesn't count against the plan's storage and isn't backed up.
 */
export const thumbnailPath = (imagePath: string, size: string): string =>
  `${imagePath.replace(/^organizations\/[^/]+\//, "$&pictures/")}.${size}.jpg`;

export const isThumbnail = (path: string): boolean => /^organizations\/[^/]+\/pictures\//.test(path);

/** Derives the storage key from the request's ledger key and the content, so that a retry overwrites its own object. */
export function assetOf(
  { organizationId, key }: Pick<NewEntry, "organizationId" | "key">,
  { bytes, format }: Image,
): Asset {
  const sha256 = sha256Hex(bytes);
  const name = sha256Hex(key).slice(0, keyCharacters);
  const path = `${imageFolder(organizationId)}images/${name}-${sha256}.${format.extension}`;
  return { path, bytes, contentType: format.contentType, sha256 };
}

/** 128 bits, so that no two keys of an organization collide. */
const keyCharacters = 32;

/** Parses an image's fields from its storage key. */
export function assetFields(path: string | null): AssetFields {
  const parts = /-([a-f0-9]{64})\.([a-z]+)$/.exec(path ?? "");
  return {
    asset_path: path,
    asset_content_type: imageFormats.find(({ extension }) => extension === parts?.[2])?.contentType ?? null,
    asset_sha256: parts?.[1] ?? null,
  };
}
