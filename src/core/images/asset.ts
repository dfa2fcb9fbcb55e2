import { imageFormats } from "../../contract/image-formats.ts";
import type { Image } from "../../contract/image-input.ts";
import { sha256Hex } from "../../platform/digest.ts";
import type { NewEntry } from "../ledger/ledger.ts";

/** A version's fields about its image. */
export interface AssetFields {
  asset_path: string | null;
  asset_content_type: string | null;
  asset_sha256: string | null;
}

/** An image and its storage key. */
export interface Asset {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
  sha256: string;
}

/** The folder of one organization's images. */
export const imageFolder = (organizationId: string): string => `organizations/${organizationId}/`;

/**
 * The key of an image's thumbnail: in the same folder, sorted after all images. A thumbnail can be made again,
 * so it is neither counted nor backed up.
 */
export const pictureOf = (imagePath: string, size: string): string =>
  `${imagePath.replace(/^organizations\/[^/]+\//, "$&pictures/")}.${size}.jpg`;

export const isPicture = (path: string): boolean => /^organizations\/[^/]+\/pictures\//.test(path);

/** The name is derived from the request's ledger key and the content, so that a retry overwrites its own object. */
export function assetOf(
  { organizationId, key }: Pick<NewEntry, "organizationId" | "key">,
  { bytes, format }: Image,
): Asset {
  const sha256 = sha256Hex(bytes);
  const name = sha256Hex(key).slice(0, keyCharacters);
  const path = `${imageFolder(organizationId)}images/${name}-${sha256}.${format.extension}`;
  return { path, bytes, contentType: format.contentType, sha256 };
}

/** 128 bits: no two keys of an organization collide. */
const keyCharacters = 32;

/** Parses an image's fields from its key. */
export function assetFields(path: string | null): AssetFields {
  const parts = /-([a-f0-9]{64})\.([a-z]+)$/.exec(path ?? "");
  return {
    asset_path: path,
    asset_content_type: imageFormats.find(({ extension }) => extension === parts?.[2])?.contentType ?? null,
    asset_sha256: parts?.[1] ?? null,
  };
}
