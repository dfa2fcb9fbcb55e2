/** `npm run pull-backup -- --to FOLDER [--env production] [--cell b]` downloads new nightly backups to a folder. */
import { readBackupCommand, runBackupCommand, withService } from "./backup/connect.ts";
import { BackupFolder } from "./backup/folder.ts";
import { pullBackup } from "./backup/pull.ts";

await runBackupCommand(async () => {
  const { folder, ...place } = readBackupCommand(process.argv.slice(2), "to");
  const to = new BackupFolder(folder);
  const { nights, files, bytes, removed } = await withService(place, (ask) => pullBackup(ask, to));
  const [newest] = nights;
  if (newest === undefined)
    throw new Error(
      "No nightly backup has finished yet. BACKUP_HOUR sets when backups start (docs/operations.md)",
    );
  return (
    `${files} new files (${bytes} bytes) in ${to.path}; ${nights.length} nights, the newest of ${newest}\n` +
    `Removed: ${removed.nights} nights, ${removed.images} images`
  );
});
