#!/usr/bin/env node
import { parseArgs } from "node:util";
import { distance } from "fastest-levenshtein";
import { partnerApi } from "../src/partner-api.ts";
import type { ConnectionOptions } from "../src/transport.ts";
import { type Check, certify, formatCheck } from "./certify/certify.ts";
import { credentialsFor } from "./credentials.ts";
import { escapeControls } from "./escape-controls.ts";
import { listen, newWebhookSecret } from "./listen.ts";
import { login } from "./login.ts";
import { logs } from "./logs.ts";

const usage = `partner-api login --url URL [--scopes client:read,time:write]
  Connects the command line to a workspace. Prints the URL of a page where an owner or admin approves the connection,
  then stores the token for the commands below in a file that only you can read. Requests all read scopes by default.

partner-api listen --forward-to URL [--types invoice.paid,delivery] [--since 2026-01-31T09:30:00Z] \
[--secret whsec_…] [--header 'Name: value']
  Forwards the workspace's events to a local receiver, signed like production deliveries. Prints the signing secret.
  PARTNER_API_URL, PARTNER_API_KEY and PARTNER_API_TOKEN (or --url, --apikey, --token) select the workspace. The default
  is the workspace you connected with \`partner-api login\`. Press Ctrl-C to stop.

partner-api logs [--follow] [--status 4xx] [--json]
  Shows the token's newest requests, with the reasons for refusals. --follow also shows new requests as they arrive.
  Select the workspace as for listen.

partner-api certify URL --secret whsec_… [--header 'Name: value'] [--json]
  Sends a webhook receiver the deliveries that production can send and forgeries that it must refuse, and reports each
  check. --header, here and for listen, adds a header to every delivery; repeat it for more.
  Exit code: 0 if every check passed, 1 if one failed, 2 if the receiver could not be reached.

partner-api mcp [--state DIRECTORY]
  Runs a Model Context Protocol server over stdio, with a tool for each operation that the token can call. A write takes
  two steps: preparing it changes nothing and returns a handle, and committing the handle does the work once. Prepared
  writes are stored in the directory for 30 days. Select the workspace as for listen.`;

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true, default: [] as string[] } as const;

const readingScopes = "client:read,project:read,time:read,invoice:read,deliverable:read";

const connectionOptions = {
  url: { ...text, default: process.env.PARTNER_API_URL },
  apikey: { ...text, default: process.env.PARTNER_API_KEY },
  token: { ...text, default: process.env.PARTNER_API_TOKEN },
} as const;

/** Completes a command's options from `login`. Throws if something is missing. */
function connectionOf(given: { url?: string; apikey?: string; token?: string }): ConnectionOptions {
  const { url: baseUrl, apikey, token } = credentialsFor(given);
  if (!baseUrl || !apikey || !token) throw new Error(usage);
  return { baseUrl, apikey, token };
}

const commands: Record<string, (args: string[]) => Promise<number>> = {
  login: runLogin,
  listen: runListen,
  logs: runLogs,
  certify: runCertify,
  mcp: runMcp,
  "--help": async () => {
    console.log(usage);
    return 0;
  },
};

// A reader that stops early, such as head, does not change the exit code.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const [first = "--help", ...parameters] = process.argv.slice(2);
const name = parameters.includes("--help") ? "--help" : first;
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
const running = command ? command(parameters) : Promise.reject(new Error(unknownCommand(name)));
process.exitCode = await running.catch((error: Error) => {
  console.error(error.message.split("\n").map(escapeControls).join("\n"));
  return 2;
});

/** Suggests a command if no more than a third of its letters differ. */
function unknownCommand(name: string): string {
  const [meant] = Object.keys(commands)
    .map((each) => ({ each, away: distance(name, each) }))
    .filter(({ away }) => away <= Math.floor(name.length / 3))
    .sort((a, b) => a.away - b.away);
  return `Unknown command: ${name}.${meant ? ` Did you mean ${meant.each}?` : ""}\n\n${usage}`;
}

async function runLogin(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { url: connectionOptions.url, scopes: text } });
  const { url, scopes = readingScopes } = values;
  if (!url || !URL.canParse(url)) throw new Error(usage);
  await login({
    url,
    scopes: scopes.split(",").map((scope) => scope.trim()),
    tell: (lines) => console.log(lines.split("\n").map(escapeControls).join("\n")),
  });
  return 0;
}

async function runMcp(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { ...connectionOptions, state: text } });
  const connection = connectionOf(values);
  // Loaded only for this command, because it is larger than all others together.
  const { serveMcp } = await import("./mcp/serve.ts");
  await serveMcp(connection, { directory: values.state });
  return 0;
}

async function runListen(args: string[]): Promise<number> {
  const options = {
    ...connectionOptions,
    "forward-to": text,
    types: text,
    since: text,
    secret: text,
    header: texts,
  } as const;
  const { values } = parseArgs({ args, options });
  const { "forward-to": forwardTo, since } = values;
  if (!forwardTo) throw new Error(usage);
  await listen(partnerApi(connectionOf(values)), {
    forwardTo,
    secret: values.secret ?? newWebhookSecret(),
    headers: headersIn(values.header),
    ...(values.types ? { types: values.types.split(",") } : {}),
    ...(since ? { since } : {}),
    signal: untilEnded(),
    tell: (line) => console.log(escapeControls(line)),
  });
  return 0;
}

async function runLogs(args: string[]): Promise<number> {
  const flag = { type: "boolean", default: false } as const;
  const options = { ...connectionOptions, status: text, follow: flag, json: flag } as const;
  const { values } = parseArgs({ args, options });
  const { status, follow, json } = values;
  await logs(partnerApi(connectionOf(values)), {
    ...(status === undefined ? {} : { status }),
    follow,
    json,
    signal: untilEnded(),
    tell: (line) => console.log(escapeControls(line)),
  });
  return 0;
}

/** Aborts when the user ends the command, or stops reading its output. */
function untilEnded(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort());
  process.stdout.once("error", () => ending.abort());
  return ending.signal;
}

async function runCertify(args: string[]): Promise<number> {
  const options = { secret: text, header: texts, json: { type: "boolean", default: false } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [url] = positionals;
  if (url === undefined || values.secret === undefined) throw new Error(usage);
  if (!values.json) console.log(`${url}\n`);
  const tell = (check: Check) => {
    if (!values.json) console.log(formatCheck(check));
  };
  const certificate = await certify(url, values.secret, tell, headersIn(values.header));
  const { passed, failed } = certificate;
  console.log(values.json ? JSON.stringify(certificate, null, 2) : `\n${passed} of ${passed + failed} held.`);
  return failed === 0 ? 0 : 1;
}

/** Parses `Name: value`, as curl does. The error does not contain the value, which may be a secret. */
function headersIn(lines: readonly string[]): Record<string, string> {
  const pairs = lines.map((line) => /^([^:\s]+):\s*(.*\S)\s*$/.exec(line) ?? []);
  if (pairs.some(([, name]) => name === undefined)) throw new Error("--header takes 'Name: value'");
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value]));
}
