/** Runs one admin operation (docs/operations.md): `npm run admin -- OPERATION --field value … [--json]`. */
import { adminCommand } from "./admin/command.ts";

process.exitCode = await adminCommand(process.argv.slice(2));
