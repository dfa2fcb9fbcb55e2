import * as z from "zod";
import { id } from "../contract/fields.ts";

/** The part of a file that an export step appends. */
const ExportedPart = z.object({
  file: z.string(),
  text: z.string().nullable().meta({ description: "Rows as one JSON object per line" }),
  base64: z.string().nullable().meta({ description: "An image, or a part of an image" }),
});

export const ExportStep = z.object({
  id,
  organization: z.string(),
  files: z.array(ExportedPart),
  manifest: z
    .string()
    .nullable()
    .meta({ description: "For a complete export, lines of `manifest.jsonl` with digests" }),
  rows: z.int(),
  images: z.int().meta({ description: "The number of images that this step finished" }),
  next: z
    .string()
    .nullable()
    .meta({ description: "The `position` for the next step; null after the last step" }),
});
export type ExportStep = z.output<typeof ExportStep>;

export const ErasureStep = ExportStep.omit({ files: true, manifest: true });
export type ErasureStep = z.output<typeof ErasureStep>;

export const AfterRestoreStep = z.object({
  sessions: z.int(),
  sign_in_links: z.int(),
  invitations: z.int(),
  codes: z.int().meta({ description: "Review codes, including the confirmations made with them" }),
  tokens: z.int().meta({ description: "Tokens that were revoked or expired and had become active again" }),
  invoice_numbers: z
    .int()
    .meta({ description: "Workspaces whose invoice numbers continue after the last assigned number" }),
  clients: z.int().meta({ description: "Clients whose erasure was applied again" }),
  organizations: z.int().meta({ description: "Workspaces whose erasure was applied again" }),
  moved: z
    .int()
    .meta({ description: "Workspaces that were erased because another cell has them now, or had them then" }),
  arrived: z.array(z.object({ organization: z.string(), cell: z.string(), at: z.string() })).meta({
    description: "Workspaces that are missing because they moved here later, and the cell that had them then",
  }),
  next: ExportStep.shape.next,
});
export type AfterRestoreStep = z.output<typeof AfterRestoreStep>;

export const ClientErasureStep = z.object({
  id,
  name: z.string().meta({ description: "The text that replaces the client's name" }),
  rows: z
    .int()
    .meta({ description: "Rows with the client's personal data, in addition to the client's own row" }),
  next: ExportStep.shape.next,
});
export type ClientErasureStep = z.output<typeof ClientErasureStep>;

export const ImportStep = z.object({
  id,
  organization: z.string(),
  rows: z.int(),
  images: z.int(),
  compared: z
    .object({ table: z.string(), rows: z.int(), digest: z.string() })
    .nullable()
    .meta({ description: "A table that matches the export" }),
  erased_clients: z
    .array(z.string())
    .meta({ description: "Clients whose erasure must be applied again by running erase-client for each" }),
  next: ExportStep.shape.next,
});
export type ImportStep = z.output<typeof ImportStep>;
