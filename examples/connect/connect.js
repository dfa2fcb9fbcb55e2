// Connects to a workspace, then reads a list and receives a webhook:
// SERVICE_URL=http://localhost:8787 node connect.js
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const service = process.env.SERVICE_URL ?? "http://localhost:8787";
const oauth = await (await fetch(`${service}/.well-known/oauth-authorization-server`)).json();
/** Use the https address of your app. Only programs on the user's own machine use http://127.0.0.1. */
const app = "http://127.0.0.1";
const state = randomBytes(32).toString("base64url");
const verifier = randomBytes(32).toString("base64url");
/** Store it with your user's account, like a password. */
let connection;

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, redirectUri);
  const isDelivery = request.method === "POST" && pathname === "/hooks" && connection !== undefined;
  if (isDelivery) return receive(request, response);
  // Rejects a response to another request, or from another service.
  const isAnswer = searchParams.get("state") === state && searchParams.get("iss") === oauth.issuer;
  if (pathname !== "/back" || !isAnswer) return response.writeHead(404).end();
  if (searchParams.has("error")) return response.end(`Not connected: ${searchParams.get("error")}`);
  const code = searchParams.get("code");
  const fields = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
  const body = new URLSearchParams({ ...fields, client_id: app, code_verifier: verifier });
  const answer = await fetch(oauth.token_endpoint, { method: "POST", body });
  if (!answer.ok) return response.writeHead(502).end(`Not connected: ${(await answer.json()).error}`);
  connection = await answer.json();
  response.end(`Connected to ${connection.organization.name}. You can close this page.`);
  await readClients(connection);
});

async function readClients({ access_token, apikey, scope, organization }) {
  const headers = { authorization: `Bearer ${access_token}`, apikey };
  const clients = await (await fetch(`${service}/api-v1/clients?limit=5`, { headers })).json();
  console.log(`Connected to ${organization.name}: ${scope}`);
  console.log(`Clients: ${clients.data.map(({ name }) => JSON.stringify(name)).join(", ")}`);
}

async function receive(request, response) {
  const body = Buffer.concat(await request.toArray()).toString();
  try {
    const { event } = new Webhook(connection.webhook.secret).verify(body, request.headers);
    response.writeHead(204).end();
    console.log(`Received ${event}`);
  } catch {
    response.writeHead(400).end();
  }
}

await new Promise((listening) => server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", listening));
const redirectUri = `http://127.0.0.1:${server.address().port}/back`;
const question = { response_type: "code", client_id: app, redirect_uri: redirectUri, state };
const code_challenge = createHash("sha256").update(verifier).digest("base64url");
const proof = { code_challenge, code_challenge_method: "S256" };
const asked = { scope: "client:read invoice:read", webhook_url: new URL("/hooks", redirectUri).href };
const link = `${oauth.authorization_endpoint}?${new URLSearchParams({ ...question, ...proof, ...asked })}`;
console.log(`Open this page, as an owner or admin: ${link}`);
