import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Credentials, saveCredentials } from "./credentials.ts";

/** The client id of programs on the user's own machine; any port is allowed (RFC 8252, 7.3). */
const clientId = "http://127.0.0.1";

/** Long enough to find the sign-in e-mail. */
const patienceMs = 15 * 60_000;

interface LoginOptions {
  url: string;
  scopes: readonly string[];
  tell(line: string): void;
}

/** A service's metadata (RFC 8414). */
interface Service {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
}

interface Connection {
  access_token: string;
  apikey: string;
  scope: string;
  organization: { name: string; slug: string };
}

/** Lets an owner or admin authorize this command in a browser, and stores its token. */
export async function login({ url, scopes, tell }: LoginOptions): Promise<void> {
  const service = await read<Service>(new URL("/.well-known/oauth-authorization-server", url));
  const state = randomBytes(32).toString("base64url");
  const verifier = randomBytes(32).toString("base64url");
  const answer = await listenForAnswer(state, service.issuer);
  const page = new URL(service.authorization_endpoint);
  page.search = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: answer.redirectUri,
    scope: scopes.join(" "),
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
  tell(`Open this page in your browser and press Connect:\n\n${page.href}\n`);
  const { access_token, apikey, scope, organization } = await read<Connection>(
    new URL(service.token_endpoint),
    new URLSearchParams({
      grant_type: "authorization_code",
      code: await answer.code,
      redirect_uri: answer.redirectUri,
      client_id: clientId,
      code_verifier: verifier,
    }),
  );
  const credentials: Credentials = { url: new URL(url).origin, apikey, token: access_token };
  saveCredentials(credentials);
  tell(`Connected to ${organization.name} (${organization.slug}): ${scope}`);
}

async function read<T>(address: URL, body?: URLSearchParams): Promise<T> {
  const answer = await fetch(
    address,
    body ? { method: "POST", body, redirect: "error" } : { redirect: "error" },
  );
  const fields = (await answer.json().catch(() => ({}))) as T & {
    error?: string;
    error_description?: string;
  };
  if (answer.ok) return fields;
  throw new Error(
    `${address.origin} returned ${answer.status} ${fields.error_description ?? fields.error ?? ""}`.trim(),
  );
}

/** Listens on a free port for the browser to return with a code. */
async function listenForAnswer(state: string, issuer: string) {
  let settle: (answer: URLSearchParams) => void = () => {};
  const answered = new Promise<URLSearchParams>((resolve) => {
    settle = resolve;
  });
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", clientId);
    const isOurs = searchParams.get("state") === state && searchParams.get("iss") === issuer;
    if (request.method !== "GET" || pathname !== "/" || !isOurs) return void response.writeHead(404).end();
    const text = searchParams.has("code") ? "Done. You can close this page." : "Nothing was connected.";
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(text);
    settle(searchParams);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const late = setTimeout(
    () => settle(new URLSearchParams({ error: "The connection was not approved in time" })),
    patienceMs,
  );
  const code = answered.then((answer) => {
    clearTimeout(late);
    server.close();
    const given = answer.get("code");
    if (given === null)
      throw new Error(`Not connected: ${answer.get("error_description") ?? answer.get("error")}`);
    return given;
  });
  return { redirectUri: `${clientId}:${(server.address() as AddressInfo).port}/`, code };
}
