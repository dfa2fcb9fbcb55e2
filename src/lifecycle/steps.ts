import * as z from "zod";
import { id } from "../contract/fields.ts";

/** What a step of an export appends to a file under its folder. */
const ExportedPart = z.object({
  file: z.string(),
  text: z.string().nullable().meta({ description: "Rows, each a line of JSON" }),
  base64: z.string().nullable().meta({ description: "An image, or a part of one" }),
});

/** One step of an export: rows of one table, or images. */
export const ExportStep = z.object({
  id,
  organization: z.string(),
  files: z.array(ExportedPart),
  manifest: z
    .string()
    .nullable()
    .meta({ description: "Of a complete copy: lines of manifest.jsonl, with digests" }),
  rows: z.int(),
  images: z.int().meta({ description: "Those that are done with this step" }),
  next: z
    .string()
    .nullable()
    .meta({ description: "`position` of the next step; null: this was the last one" }),
});
export type ExportStep = z.output<typeof ExportStep>;

/** One step of erasing a workspace. */
export const ErasureStep = ExportStep.omit({ files: true, manifest: true });
export type ErasureStep = z.output<typeof ErasureStep>;

/** One step after a restore of the database. */
export const AfterRestoreStep = z.object({
  sessions: z.int(),
  sign_in_links: z.int(),
  invitations: z.int(),
  codes: z.int().meta({ description: "Of reviews, with what they had confirmed" }),
  tokens: z.int().meta({ description: "Those that had ended and were active again" }),
  invoice_numbers: z.int().meta({ description: "Workspaces whose numbers go on behind the last one given" }),
  clients: z.int().meta({ description: "Those whose erasure was applied again" }),
  organizations: z.int().meta({ description: "Workspaces whose erasure was applied again" }),
  next: ExportStep.shape.next,
});
export type AfterRestoreStep = z.output<typeof AfterRestoreStep>;

/** One step of erasing a client's person. */
export const ClientErasureStep = z.object({
  id,
  name: z.string().meta({ description: "What stands in the place of the client's name" }),
  rows: z.int().meta({ description: "Those that held something of the person, beside the client's own" }),
  next: ExportStep.shape.next,
});
export type ClientErasureStep = z.output<typeof ClientErasureStep>;

/** One step of bringing a workspace back. */
export const ImportStep = z.object({
  id,
  organization: z.string(),
  rows: z.int(),
  images: z.int(),
  compared: z
    .object({ table: z.string(), rows: z.int(), digest: z.string() })
    .nullable()
    .meta({ description: "A table that is as it was exported" }),
  erased_clients: z
    .array(z.string())
    .meta({ description: "Clients whose erasure is to be applied again: run erase-client for each" }),
  next: ExportStep.shape.next,
});
export type ImportStep = z.output<typeof ImportStep>;
