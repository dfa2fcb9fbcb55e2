import { connectLimits } from "../../contract/connect-limits.ts";
import type { OAuthError } from "../../contract/oauth-errors.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Services } from "../../core/services.ts";
import { readAtMost } from "../../http/read-body.ts";
import { senderOf } from "../../http/sender-of.ts";
import { admitSender, countUnknownSender, forgetSecret, rememberSecret } from "../../http/senders.ts";
import { note, report } from "../../platform/log.ts";
import { isSecret, secretHash } from "../../platform/secret.ts";
import { failureOf } from "../../platform/unavailable.ts";
import { type Exchange, exchangeCode } from "../../webhooks/connections/exchange-code.ts";
import { publish } from "../../workspace/directory/publish.ts";

/** What the response needs from the Worker besides its services. */
interface Surroundings {
  apikey: string;
  waitUntil(work: Promise<unknown>): void;
}

/**
 * POST /oauth/token: an app exchanges the code from its admin's redirect (contract J5). The errors are OAuth errors
 * (RFC 6749, 5.2), because OAuth clients don't understand any others.
 */
export async function exchange(
  request: Request,
  services: Services,
  surroundings: Surroundings,
): Promise<Response> {
  try {
    return await answer(request, services, surroundings);
  } catch (error) {
    report({ failed: "exchange a code" }, error);
    return unavailable(failureOf(error));
  }
}

async function answer(
  request: Request,
  services: Services,
  { apikey, waitUntil }: Surroundings,
): Promise<Response> {
  if (request.headers.has("authorization"))
    return refused(401, "invalid_client", "Send no client credentials: apps here have none", {
      "WWW-Authenticate": "Basic",
    });
  const given = await readForm(request);
  if (given instanceof Response) return given;
  const hash = isSecret(given.code) ? secretHash(given.code) : undefined;
  const sender = senderOf(request.headers);
  const passed = admitSender(sender, hash === undefined ? [] : [hash]);
  if (passed instanceof Refusal) return unavailable(passed);
  const connected = hash === undefined ? "unknown" : await exchangeCode(services, given);
  if (connected instanceof Refusal) return unavailable(connected);
  if (hash !== undefined) (connected === "unknown" ? forgetSecret : rememberSecret)(hash);
  if (connected === "unknown") waitUntil(countUnknownSender(services, sender));
  if (connected === "unknown" || connected === "invalid")
    return refused(400, "invalid_grant", "The code is unknown, used or too old, or was given to another app");
  const { token, scopes, organization, webhook } = connected;
  note({ organization_id: organization.id });
  await publish(services, organization.id);
  const fields = { access_token: token, token_type: "Bearer", scope: scopes.join(" ") };
  return Response.json({ ...fields, organization, apikey, webhook }, { headers: { Pragma: "no-cache" } });
}

const names = ["code", "redirect_uri", "client_id", "code_verifier"] as const;

/** RFC 7636, 4.1. */
const verifierForm = /^[\w.~-]{43,128}$/;

async function readForm(request: Request): Promise<Exchange | Response> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
    return refused(400, "invalid_request", "Content-Type must be application/x-www-form-urlencoded");
  const body = await readAtMost(request, connectLimits.formBytes);
  if (body instanceof Refusal) return refused(413, "invalid_request", body.text);
  const form = new URLSearchParams(new TextDecoder().decode(body));
  const wrong = ["grant_type", ...names].find((name) => form.getAll(name).filter(Boolean).length !== 1);
  if (wrong !== undefined) return refused(400, "invalid_request", `${wrong} is required, once`);
  if (form.get("grant_type") !== "authorization_code")
    return refused(400, "unsupported_grant_type", "grant_type must be authorization_code");
  if (!verifierForm.test(form.get("code_verifier") ?? ""))
    return refused(
      400,
      "invalid_request",
      "code_verifier must have 43 to 128 of the characters that RFC 7636 allows",
    );
  const field = (name: (typeof names)[number]) => form.get(name) ?? "";
  return {
    code: field("code"),
    redirect_uri: field("redirect_uri"),
    client_id: field("client_id"),
    code_verifier: field("code_verifier"),
  };
}

function refused(
  status: number,
  error: OAuthError,
  error_description: string,
  headers: Record<string, string> = {},
): Response {
  note({ code: error });
  const retry = { "X-Should-Retry": String(status === 429 || status >= 500) };
  return Response.json({ error, error_description }, { status, headers: { ...headers, ...retry } });
}

/** Converts a refusal that is unrelated to the code into an OAuth error. */
export const unavailable = ({ status, text, headers }: Refusal): Response =>
  refused(status, status === 500 ? "server_error" : "temporarily_unavailable", text, headers);
