#!/usr/bin/env node
import { parseArgs } from "node:util";
import { certify, printed } from "./certify/certify.ts";

const usage = `partner-api certify URL --secret whsec_… [--json]
  Sends a webhook receiver what production may send, and what nobody should get away with; says what held.
  Exit code: 0 if all held, 1 if not, 2 if it could not be asked.`;

const commands: Record<string, (args: string[]) => Promise<number>> = {
  certify: runCertify,
  "--help": async () => {
    console.log(usage);
    return 0;
  },
};

const [name = "--help", ...parameters] = process.argv.slice(2);
const command = commands[name] ?? (async () => Promise.reject(new Error(usage)));
process.exitCode = await command(parameters).catch((error: Error) => {
  console.error(error.message);
  return 2;
});

async function runCertify(args: string[]): Promise<number> {
  const options = { secret: { type: "string" }, json: { type: "boolean", default: false } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [url] = positionals;
  if (url === undefined || values.secret === undefined) throw new Error(usage);
  if (!values.json) console.log(`${url}\n`);
  const certificate = await certify(url, values.secret, (check) => {
    if (!values.json) console.log(printed(check));
  });
  const { passed, failed } = certificate;
  console.log(values.json ? JSON.stringify(certificate, null, 2) : `\n${passed} of ${passed + failed} held.`);
  return failed === 0 ? 0 : 1;
}
