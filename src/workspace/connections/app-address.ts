import { isOneWord } from "../../contract/characters.ts";

/** An app that a browser may be redirected to: both of its addresses have the same host. */
export interface App {
  /** `client_id` as sent: the address that identifies the app. It is shown, but never fetched. */
  clientId: string;
  /** As sent, because the code exchange has to repeat it exactly. */
  redirectUri: string;
  /** Where the browser goes, parsed as browsers do; contains only ASCII. */
  redirect: URL;
  /** The app's host, in ASCII, with its port unless it is a program on the visitor's own machine. */
  host: string;
  isLocal: boolean;
}

/** A program on one's own machine cannot know in advance which port is free (RFC 8252, 7.3). */
const localHosts = ["127.0.0.1", "[::1]"];

const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === "http:" && localHosts.includes(hostname);

const userInfo = /^[^:]*:\/*[^/?]*@/;

/** An app's display name: its host, with the port unless it is a program on the visitor's own machine. */
export const hostOfApp = (address: URL): string => (isLocal(address) ? address.hostname : address.host);

/** No user info, no fragment, and nothing that a URL parser drops or interprets differently. */
function readAddress(text: string): URL | null {
  if (!isOneWord(text) || /[\\#]/.test(text) || userInfo.test(text)) return null;
  const url = URL.parse(text);
  return url && (url.protocol === "https:" || isLocal(url)) ? url : null;
}

/** The app that both addresses name; null if a browser must not be redirected there. */
export function appOf(clientId: string | undefined, redirectUri: string | undefined): App | null {
  if (clientId === undefined || redirectUri === undefined) return null;
  const [client, redirect] = [readAddress(clientId), readAddress(redirectUri)];
  if (!client || !redirect || client.protocol !== redirect.protocol) return null;
  const [host, local] = [hostOfApp(client), isLocal(client)];
  return hostOfApp(redirect) === host ? { clientId, redirectUri, redirect, host, isLocal: local } : null;
}
