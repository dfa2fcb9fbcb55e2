import { isSafeAddress } from "../../contract/characters.ts";

/** An app that a browser may be redirected to. Both of its addresses have the same host. */
export interface App {
  /** `client_id` as sent: the URL that identifies the app. It is shown, but never fetched. */
  clientId: string;
  /** As sent, because the code exchange has to repeat it exactly. */
  redirectUri: string;
  /** The redirect URI, parsed as browsers do. It contains only ASCII. */
  redirect: URL;
  /** The app's display name, in ASCII (`hostOfApp`). */
  host: string;
  isLocal: boolean;
}

/** The port is ignored on these hosts, because a local program cannot know which port will be free (RFC 8252, 7.3). */
const localHosts = ["127.0.0.1", "[::1]"];

const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === "http:" && localHosts.includes(hostname);

const userInfo = /^[^:]*:\/*[^/?]*@/;

/** Returns an app's display name: its host, with the port unless it is a program on the visitor's own machine. */
export const hostOfApp = (address: URL): string => (isLocal(address) ? address.hostname : address.host);

/** Refuses user info, fragments, and characters that a URL parser drops or interprets differently. */
function readAddress(text: string): URL | null {
  if (!isSafeAddress(text) || /[\\#]/.test(text) || userInfo.test(text)) return null;
  const url = URL.parse(text);
  return url && (url.protocol === "https:" || isLocal(url)) ? url : null;
}

/** Returns the app with these addresses; null if a browser must not be redirected to it. */
export function appOf(clientId: string | undefined, redirectUri: string | undefined): App | null {
  if (clientId === undefined || redirectUri === undefined) return null;
  const [client, redirect] = [readAddress(clientId), readAddress(redirectUri)];
  if (!client || !redirect || client.protocol !== redirect.protocol) return null;
  const [host, local] = [hostOfApp(client), isLocal(client)];
  return hostOfApp(redirect) === host ? { clientId, redirectUri, redirect, host, isLocal: local } : null;
}
