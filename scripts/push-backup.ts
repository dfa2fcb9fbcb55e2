/**
 * `npm run push-backup -- --from FOLDER [--day 2026-01-31] [--env production] [--cell b]` restores a night's images.
 */
import { readBackupCommand, runBackupCommand, withService } from "./backup/connect.ts";
import { BackupFolder } from "./backup/folder.ts";
import { pushBackup } from "./backup/push.ts";

await runBackupCommand(async () => {
  const { folder, day, ...place } = readBackupCommand(process.argv.slice(2), "from");
  const from = new BackupFolder(folder);
  const pushed = await withService(place, (ask) => pushBackup(ask, from, day));
  return `The night of ${pushed.day} has ${pushed.images} images; ${pushed.stored} were missing and are back`;
});
