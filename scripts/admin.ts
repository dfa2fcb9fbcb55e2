/** Runs one admin operation (docs/admin-commands.md): `npm run admin -- OPERATION --field value … [--json]`. */
import { adminCommand } from "./admin/command.ts";

// A pipe that is closed early, as by `head`, is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await adminCommand(process.argv.slice(2));
