import { connectLimits } from "../../contract/connect-limits.ts";
import { characterCount } from "../../contract/fields.ts";
import type { OAuthError } from "../../contract/oauth-errors.ts";
import { isScope, type Scope, scopeCatalogue } from "../../contract/scopes.ts";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import { type App, appOf } from "../../workspace/connections/app-address.ts";
import { scopesNeededBy, selectionOf, visibleTo } from "../feed/event-selection.ts";

/** An app's valid request to connect to a workspace (contract J2). */
export interface ConnectionRequest {
  app: App;
  state: string | undefined;
  scopes: readonly Scope[];
  /** PKCE: the SHA-256 of the code verifier, with which the app exchanges the code. */
  codeChallenge: string;
  webhook: { url: string; events: readonly string[] } | null;
}

/** An invalid request, with the error for the app and the reason for the admin. */
export interface WrongRequest {
  app: App;
  state: string | undefined;
  error: OAuthError;
  why: string;
}

/** SHA-256 in base64url. */
const challengeForm = /^[\w-]{43}$/;

/**
 * Parses a query for /oauth/authorize. Returns null if it doesn't name an app and a redirect URI registered for it.
 * Parameters without a value count as absent, unknown ones are ignored, and repeated ones are invalid (RFC 6749, 3.1).
 */
export function readRequest(query: URLSearchParams): ConnectionRequest | WrongRequest | null {
  const one = (name: string): string | undefined => {
    const [value, ...others] = query.getAll(name);
    return others.length > 0 || value === "" ? undefined : value;
  };
  if (query.toString().length > connectLimits.queryCharacters) return null;
  const app = appOf(one("client_id"), one("redirect_uri"));
  if (!app) return null;
  const state = one("state");
  const wrong = (why: string, error: OAuthError = "invalid_request") => ({
    app,
    state,
    error,
    why,
  });
  const repeated = parameters.find((name) => query.getAll(name).length > 1);
  if (repeated) return wrong(`It sent ${repeated} twice.`);
  const responseType = one("response_type");
  if (responseType === undefined) return wrong("It did not send response_type.");
  if (responseType !== "code")
    return wrong("It asked for another response_type than code.", "unsupported_response_type");
  const codeChallenge = one("code_challenge") ?? "";
  if (one("code_challenge_method") !== "S256" || !challengeForm.test(codeChallenge))
    return wrong("It did not protect its code: it has to send a code_challenge made with S256 (PKCE).");
  const names = (one("scope") ?? "").split(" ").filter((name) => name !== "");
  if (names.length === 0) return wrong("It asked for no permission.", "invalid_scope");
  const scopes = [...new Set(names)].filter(isScope);
  const unknown = names.find((name) => !isScope(name) || !scopeCatalogue[name].grantable);
  if (unknown !== undefined)
    return wrong(`It asked for a permission that no app can have${quoted(unknown)}.`, "invalid_scope");
  const [url, types] = [one("webhook_url"), one("webhook_events")];
  if (url === undefined && types !== undefined)
    return wrong("It asked for events without a webhook_url to send them to.");
  if (url !== undefined && characterCount(url) > webhookLimits.urlCharacters)
    return wrong(`It sent a webhook_url of more than ${webhookLimits.urlCharacters} characters.`);
  if (types !== undefined && selectionOf(types) === null)
    return wrong("It asked for webhook_events that do not exist.");
  const events = types === undefined ? categoriesOf(scopes) : [...new Set(types.split(",").map(trimmed))];
  const webhook = url === undefined ? null : { url, events: readableWith(scopes, events) };
  return { app, state, scopes, codeChallenge, webhook };
}

/** Echoes a name only if it looks like a scope. */
const quoted = (name: string) => (/^[\w:.-]{1,40}$/.test(name) ? `: ${name}` : "");

const trimmed = (text: string) => text.trim();

const parameters = [
  "response_type",
  "state",
  "scope",
  "code_challenge",
  "code_challenge_method",
  "webhook_url",
  "webhook_events",
];

const categoriesOf = (scopes: readonly string[]) => visibleTo(scopes).map(({ category }) => category);

/** Keeps only the event names and categories that a token with these scopes can read in the feed. */
export const readableWith = (scopes: readonly string[], events: readonly string[]): readonly string[] =>
  events.filter((event) => scopesNeededBy(event).every((scope) => scopes.includes(scope)));

/** Builds the URL that returns the answer to the app: its redirect URI, with the issuer as `iss` (RFC 9207). */
export function redirectTo(
  { app: { redirect }, state }: Pick<ConnectionRequest, "app" | "state">,
  issuer: string,
  answer: Record<string, string>,
): string {
  const parameters = new URLSearchParams({ ...answer, ...(state !== undefined && { state }), iss: issuer });
  return `${redirect.href}${redirect.href.includes("?") ? "&" : "?"}${parameters}`;
}
