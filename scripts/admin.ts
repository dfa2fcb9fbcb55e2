/** Runs one admin operation (docs/admin-commands.md): `npm run admin -- OPERATION --field value … [--json]`. */
import { adminCommand } from "./admin/command.ts";

// Who read enough, like head, refused nothing: what is left of the result goes nowhere.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await adminCommand(process.argv.slice(2));
