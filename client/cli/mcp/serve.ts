/** `partner-api mcp`: the operations that a token may call, as tools of the Model Context Protocol over stdio. */
import { type CallToolResult, Server } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { PartnerApiError, RefusedError } from "../../src/errors.ts";
import type { Token } from "../../src/schema.ts";
import { type ConnectionOptions, sendForJson, sendForStream } from "../../src/transport.ts";
import type { ServedDocument } from "./document.ts";
import { defaultDirectory, newHandle, type PreparedStore, preparedStore } from "./prepared.ts";
import { callsFor, commitTools, mailing, type OfferedCall, toolsOf, wrongArguments } from "./tools.ts";
import { type DryRun, preview } from "./words.ts";

export interface McpOptions {
  /** Where prepared work is kept. */
  directory?: string | undefined;
}

/** Serves until the other side closes. */
export async function serveMcp(connection: ConnectionOptions, { directory }: McpOptions): Promise<void> {
  const document = await sendForJson<ServedDocument>(connection, {
    method: "GET",
    path: "/api-v1/openapi.json",
  });
  const token = await sendForJson<Token>(connection, { method: "GET", path: "/api-v1/token" });
  const calls = callsFor(document, token.scopes);
  const session: Session = {
    connection,
    calls,
    organizationId: token.organization.id,
    prepared: preparedStore(directory ?? defaultDirectory()),
  };
  const server = new Server(
    { name: "partner-api", version: document.info.version },
    { capabilities: { tools: {} }, instructions: instructions(token) },
  );
  server.setRequestHandler("tools/list", () => ({ tools: toolsOf(calls) }));
  server.setRequestHandler("tools/call", ({ params }) =>
    callTool(session, params.name, params.arguments ?? {}).catch(failed),
  );
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  await server.connect(new StdioServerTransport());
  process.stdin.once("end", () => void server.close());
  await closed;
}

const instructions = ({ organization }: Token) =>
  `These tools act in the workspace “${organization.name}”. A write takes two steps: prepare it, read what would ` +
  "happen, then commit its handle. If a commit fails or its answer is lost, commit the same handle again; prepare " +
  "again only for another piece of work. Lists come in pages: follow next_cursor until it is null.";

interface Session {
  connection: ConnectionOptions;
  calls: readonly OfferedCall[];
  organizationId: string;
  prepared: PreparedStore;
}

type Arguments = Record<string, unknown>;

async function callTool(session: Session, name: string, given: Arguments): Promise<CallToolResult> {
  const call = session.calls.find(({ tool }) => tool.name === name);
  const tool = call?.tool ?? Object.values(commitTools).find((tool) => tool.name === name);
  if (!tool) return problem(`There is no tool ${name}, or the token lacks its scope.`);
  const wrong = wrongArguments(tool.inputSchema, given);
  if (wrong) return problem(wrong);
  if (!call) return commit(session, name, String(given.handle));
  if (call.method === "POST") return prepare(session, call, given);
  if (call.isImage) return readImage(session, call, given);
  const query = Object.fromEntries(call.query.map((parameter) => [parameter, given[parameter]]));
  const path = filled(call.path, given);
  return succeeded(await sendForJson(session.connection, { method: "GET", path, query }));
}

const filled = (path: string, given: Arguments) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])));

async function readImage(
  { connection }: Session,
  call: OfferedCall,
  given: Arguments,
): Promise<CallToolResult> {
  const answer = await sendForStream(connection, { method: "GET", path: filled(call.path, given) });
  const data = Buffer.from(await answer.arrayBuffer()).toString("base64");
  const mimeType = answer.headers.get("content-type") ?? "application/octet-stream";
  return { content: [{ type: "image", data, mimeType }] };
}

/** The dry run of a write. What is kept of it can be committed by any session. */
async function prepare(session: Session, call: OfferedCall, given: Arguments): Promise<CallToolResult> {
  const { operationId, summary } = call.operation;
  const path = filled(call.path, given);
  const { body = {} } = given;
  const answer = await dryRun(session, path, body);
  const handle = newHandle();
  const words = preview(summary, answer, Object(body));
  session.prepared.keep({
    handle,
    operationId,
    path,
    body,
    organizationId: session.organizationId,
    words,
    ...(mailing.has(operationId) ? { versionNumber: answer.version_number } : {}),
  });
  const next = mailing.has(operationId) ? commitTools.commit_send.name : commitTools.commit.name;
  return {
    content: [
      { type: "text", text: `${words}\n\nNothing is done yet. To do it: ${next} with handle ${handle}` },
    ],
    structuredContent: { handle, would: words, commit_with: next },
  };
}

const dryRun = (
  { connection }: Session,
  path: string,
  body: unknown,
  idempotencyKey?: string,
): Promise<DryRun> =>
  sendForJson(connection, { method: "POST", path, query: { dry_run: true }, body, idempotencyKey });

async function commit(session: Session, name: string, handle: string): Promise<CallToolResult> {
  const work = session.prepared.find(handle);
  if (!work) return problem("There is no such handle. Handles are kept on this machine for 30 days.");
  if (work.organizationId !== session.organizationId)
    return problem("This was prepared in another workspace: use a token of that one.");
  const wanted = mailing.has(work.operationId) ? commitTools.commit_send.name : commitTools.commit.name;
  if (name !== wanted) return problem(`This handle is for ${wanted}. It was prepared as: ${work.words}`);
  const { path, body, versionNumber } = work;
  if (versionNumber !== undefined) {
    const now = await dryRun(session, path, body, handle);
    if (!now.idempotent_replay && now.version_number !== versionNumber)
      return problem(
        `Version ${now.version_number} came after this was prepared. Nothing was sent: prepare it again.`,
      );
  }
  const { connection } = session;
  return succeeded(await sendForJson(connection, { method: "POST", path, body, idempotencyKey: handle }));
}

const succeeded = (answer: object): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(answer) }],
  structuredContent: { ...answer },
});

const problem = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

/** What the agent can do about a failure; anything but a failed call is a fault of ours. */
function failed(error: unknown): CallToolResult {
  if (error instanceof RefusedError) {
    const advice = error.retryable
      ? "The same call may succeed later."
      : "The same call would be refused again.";
    return { ...problem(`Refused: ${error.message}. ${advice}`), structuredContent: { ...error.body } };
  }
  if (error instanceof PartnerApiError)
    return problem(`${error.message}. Make the same call again: a commit does nothing twice.`);
  throw error;
}
