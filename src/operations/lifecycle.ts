import * as z from "zod";
import { dateInput, idInput } from "../contract/fields.ts";
import {
  BackupFilePart,
  BackupFiles,
  listBackupFiles,
  RestoredImage,
  readBackupFile,
  restoreImage,
} from "../core/operator/backup-files.ts";
import { BackupStep, readBackup } from "../core/operator/read-backup.ts";
import { afterRestoreStep } from "../lifecycle/after-restore.ts";
import { eraseClientStep } from "../lifecycle/erase-client.ts";
import { eraseOrganizationStep } from "../lifecycle/erase-organization.ts";
import { exportStepHere } from "../lifecycle/export-organization.ts";
import { copyOf, importStep } from "../lifecycle/import-organization.ts";
import {
  AfterRestoreStep,
  ClientErasureStep,
  ErasureStep,
  ExportStep,
  ImportStep,
} from "../lifecycle/steps.ts";
import { type AdminOperations, platformOperation, workspaceOperation } from "./operation.ts";
import { cellInput, slug } from "./organizations.ts";

/** `next` from the previous step. The command line repeats the operation until it is null. */
const position = z.string().max(2000).optional();

/** An object's key in a bucket. Our keys are printable ASCII, and R2 limits a key to 1,024 bytes. */
const objectName = z
  .string()
  .max(1024)
  .regex(/^[ -~]*$/);

export const lifecycleOperations: AdminOperations = {
  "export-organization": workspaceOperation({
    summary: "Export every row and image of the workspace to a folder, with one JSON Lines file per table",
    action: "export it",
    allowed: "operator",
    writesFiles: true,
    input: z.strictObject({ complete: z.boolean().optional(), position }),
    answer: ExportStep,
    run: exportStepHere,
  }),

  "import-organization": platformOperation({
    summary: "Restore a workspace from a folder with a complete export",
    input: z.strictObject({
      from: z.string().optional(),
      as: slug.optional(),
      cell: cellInput,
      position,
      text: z.string().optional(),
      base64: z.string().optional(),
    }),
    answer: ImportStep,
    run: ({ services }, { as, ...input }) => importStep(services, { ...input, slug: as }),
    isSafeToRetry: true,
    callIdentity: ({ as, text, position: at }) => [as, copyOf(text, at)],
  }),

  "after-restore": platformOperation({
    summary:
      "Complete a database restore: end all sessions, links and codes, and reapply erasures, revocations and " +
      "other final changes",
    input: z.strictObject({ confirm: z.boolean().optional(), cell: cellInput, position }),
    answer: AfterRestoreStep,
    run: ({ services, operator }, input) => afterRestoreStep(services, operator ?? "unknown", input),
    isSafeToRetry: true,
  }),

  "export-backup": platformOperation({
    summary: "Write a nightly database backup to a folder as an SQL file",
    writesFiles: true,
    input: z.strictObject({ day: dateInput, position }),
    answer: BackupStep,
    run: ({ services }, { day, position }) => readBackup(services, day, position),
  }),

  "list-backup-files": platformOperation({
    summary: "List the files of the nightly backups, at most 1,000 per call",
    input: z.strictObject({ after: objectName.optional() }),
    answer: BackupFiles,
    run: ({ services }, { after }) => listBackupFiles(services, after),
  }),

  "read-backup-file": platformOperation({
    summary: "Return at most 8 MB of a backup file as base64",
    input: z.strictObject({ name: objectName, offset: z.int().min(0).default(0) }),
    answer: BackupFilePart,
    run: ({ services }, { name, offset }) => readBackupFile(services, name, offset),
  }),

  "restore-image": platformOperation({
    summary:
      "Check whether the bucket has an image, and store the image if it is missing and its bytes are given",
    input: z.strictObject({
      path: objectName.regex(/^(?:organizations|erasures)\//),
      content_type: z.string().optional(),
      sha256: z.string().optional(),
      base64: z.string().optional(),
    }),
    answer: RestoredImage,
    run: ({ services }, image) => restoreImage(services, image),
  }),

  "erase-client": workspaceOperation({
    summary: "Permanently erase a client's personal data, but keep their work and payments",
    action: "erase clients",
    input: z.strictObject({ id: idInput, position }),
    answer: ClientErasureStep,
    run: eraseClientStep,
    isSafeToRetry: true,
  }),

  "erase-organization": workspaceOperation({
    summary: "Permanently erase the workspace and everything in it; `confirm` must be its slug",
    action: "erase it",
    allowed: "operator",
    input: z.strictObject({ confirm: z.string(), position }),
    answer: ErasureStep,
    run: eraseOrganizationStep,
    isSafeToRetry: true,
    endsWorkspace: true,
  }),
};
