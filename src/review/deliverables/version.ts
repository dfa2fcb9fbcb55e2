import * as z from "zod";
import { id, line, optionalText, timestamp } from "../../contract/fields.ts";
import { imageInput } from "../../contract/image-input.ts";
import { limits } from "../../contract/limits.ts";
import { embedUrlInput } from "./record.ts";

const sha256 = z.string().meta({
  description: "A SHA-256 digest in lowercase hexadecimal",
  example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
});

export const Version = z
  .object({
    id,
    deliverable_id: id,
    version_number: z.int(),
    title: z.string(),
    embed_url: z.string().nullable(),
    asset_path: z.string().nullable(),
    asset_content_type: z
      .string()
      .nullable()
      .meta({ description: "The image's type, detected from its bytes" }),
    asset_sha256: sha256.nullable(),
    note: z.string().nullable(),
    previous_hash: sha256.nullable().meta({ description: "The previous version's hash; null for version 1" }),
    hash: sha256.meta({
      description:
        "The SHA-256 of all other fields except `id`, as canonical JSON (RFC 8785), in lowercase hexadecimal",
    }),
    created_by: id.meta({ description: "The admin who created the token" }),
    created_at: timestamp,
  })
  .meta({
    id: "DeliverableVersion",
    description: "An immutable snapshot of the deliverable, which contains the previous version's hash",
  });
export type Version = z.output<typeof Version>;

export const NewVersion = z
  .strictObject({
    title: line(1, limits.titleCharacters).optional(),
    embed_url: embedUrlInput.optional(),
    image_base64: imageInput.optional(),
    note: optionalText(limits.noteCharacters),
  })
  .meta({ id: "NewDeliverableVersion", description: "Omitted fields keep their values" });
export type NewVersion = z.output<typeof NewVersion>;
