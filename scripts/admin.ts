/** Runs one admin operation (docs/admin-commands.md): `npm run admin -- OPERATION --field value … [--json]`. */
import { adminCommand } from "./admin/command.ts";

// A reader that stops early, like head, is not an error: the rest of the result is dropped.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await adminCommand(process.argv.slice(2));
