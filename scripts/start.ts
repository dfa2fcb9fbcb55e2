/** `npm start` prepares and runs a local service. Unknown parameters are passed on to `wrangler dev`. */
import { parseArgs } from "node:util";
import { readCellParameters } from "./local/cell-parameters.ts";
import { withReview } from "./local/open-review.ts";
import { portOf } from "./local/port.ts";
import { type RunningServer, serve } from "./local/serve.ts";
import { type LocalServer, type State, stateAt } from "./local/state.ts";
import { watchNpm } from "./local/watch-npm.ts";

const { cells, cellStates, parameters } = readOrEnd(() => readCellParameters(process.argv.slice(2)));
const { values: given } = parseArgs({
  args: parameters,
  strict: false,
  options: { port: { type: "string" }, "persist-to": { type: "string" } },
});

const state = stateAt(given["persist-to"]?.toString());

let running: RunningServer | undefined;
let isEnding = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end());
watchNpm(() => void end());

try {
  running = await serve(state, {
    port: portOf(given.port?.toString(), process.env.PORT),
    parameters,
    cells,
    cellStates,
    onProgress: (progress) => console.log(`${progress} …`),
    complete: (server) => withReview(server, (reason) => console.error(`\n${reason}`)),
  });
} catch (error) {
  console.error(`\n${(error as Error).message}`);
  process.exit(1);
}
console.log(welcome(running.server, state));
const code = await running.ended;
if (!isEnding) console.error("The server stopped unexpectedly");
process.exit(isEnding ? 0 : code || 1);

function readOrEnd<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

/** An unfinished start needs no cleanup, because its child processes stop with this process. */
async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  if (running) await running.stop();
  else process.exit(1);
}

function welcome(
  { base_url, apikey, token, organization, cells: doors = [], sign_in_url, review_url }: LocalServer,
  { serverFile }: State,
): string {
  const headers = `-H 'apikey: ${apikey}' -H 'Authorization: Bearer ${token}'`;
  return `
Serving at ${base_url} (documentation: ${base_url}/docs)

  organization  ${organization}
  apikey        ${apikey}
  token         ${token}

These are also in ${serverFile}. Try:

curl -s '${base_url}/api-v1/clients' ${headers}

curl -s '${base_url}/api-v1/invoices?limit=2' ${headers}

curl -s '${base_url}/api-v1/clients' ${headers} -H 'Content-Type: application/json' -H "Idempotency-Key: \
first-client-$(date +%s)" -d '{"company_name": "First Client"}'

Settings: ${base_url}/settings. Sign in with this one-time link: ${sign_in_url}

A review as its client sees it: ${review_url ?? "none, see above"}

Sent e-mails: ${base_url}/dev/mails
${doors.map(({ name, url }) => `\nCell ${name}, without the front: ${url}\n`).join("")}
Admin commands: npm run admin -- --help. Ctrl-C stops the server.
`;
}
