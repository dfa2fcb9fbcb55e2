import { exports } from "cloudflare:workers";
import * as oauth from "oauth4webapi";
import type { SettingsBrowser } from "./settings.ts";

export const issuer = "https://app.example.com";
export const redirectUri = "https://timer.example/back?kept=1";

const insideTheTest = {
  [oauth.customFetch]: (url: string, init: object) => exports.default.fetch(url, init),
};

/** An app's authorization request, as parameters and as the URL to which it redirects an admin. */
export async function appRequest(changes: Record<string, string | undefined> = {}) {
  const verifier = oauth.generateRandomCodeVerifier();
  const parameters = {
    response_type: "code",
    client_id: "https://timer.example/app",
    redirect_uri: redirectUri,
    scope: "client:read time:write deliverable:send",
    state: oauth.generateRandomState(),
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...changes,
  };
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { verifier, parameters, address: `/oauth/authorize?${new URLSearchParams(given)}` };
}

type AppRequest = Awaited<ReturnType<typeof appRequest>>;

/** Presses a button on the consent page, and returns the parameters that the app gets in the redirect. */
export async function pressed(
  browser: SettingsBrowser,
  { address }: Pick<AppRequest, "address">,
  fields: [string, string][] = [["scope", "client:read"]],
): Promise<URLSearchParams> {
  const { status, headers } = await browser.post(address, fields);
  if (status !== 303) throw new Error(`not redirected but ${status}`);
  return new URL(headers.get("location") ?? "").searchParams;
}

export const fetchToken = (fields: Record<string, string> | string, headers: Record<string, string> = {}) =>
  exports.default.fetch(`${issuer}/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields).toString(),
  });

export const exchangeOf = ({ verifier, parameters }: AppRequest, code: string | null) => ({
  grant_type: "authorization_code",
  code: code ?? "",
  redirect_uri: String(parameters.redirect_uri),
  client_id: String(parameters.client_id),
  code_verifier: verifier,
});

/** Runs the whole flow with an OAuth library. `agree` presses the button and returns the redirect URL. */
export async function connectByLibrary(request: AppRequest, agree: () => Promise<string>) {
  const { parameters, verifier } = request;
  const discovery = await oauth.discoveryRequest(new URL(issuer), { algorithm: "oauth2", ...insideTheTest });
  const server = await oauth.processDiscoveryResponse(new URL(issuer), discovery);
  const client = { client_id: String(parameters.client_id) };
  const answer = oauth.validateAuthResponse(server, client, new URL(await agree()), parameters.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    answer,
    String(parameters.redirect_uri),
    verifier,
    insideTheTest,
  );
  return { server, token: await oauth.processAuthorizationCodeResponse(server, client, response) };
}
