import { isOneWord } from "../../contract/characters.ts";

/** An app that may be redirected to: its two addresses are one host's. */
export interface App {
  /** `client_id` as it was sent: the address by which the app names itself. It is shown, and never fetched. */
  clientId: string;
  /** As it was sent, because the exchange of the code has to name the same. */
  redirectUri: string;
  /** Where the browser goes, as browsers read the address: only ASCII letters. */
  redirect: URL;
  /** The app's host, in ASCII letters, with its port unless it is a program on the visitor's own machine. */
  host: string;
  isLocal: boolean;
}

/** A program on one's own machine cannot know in advance which port is free (RFC 8252, 7.3). */
const localHosts = ["127.0.0.1", "[::1]"];

const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === "http:" && localHosts.includes(hostname);

const userInfo = /^[^:]*:\/*[^/?]*@/;

/** What an app is called: its host with its port, which says nothing of a program on one's own machine. */
export const hostOfApp = (address: URL): string => (isLocal(address) ? address.hostname : address.host);

/** No user info, no fragment, and nothing that a URL parser drops or reads as something else. */
function readAddress(text: string): URL | null {
  if (!isOneWord(text) || /[\\#]/.test(text) || userInfo.test(text)) return null;
  const url = URL.parse(text);
  return url && (url.protocol === "https:" || isLocal(url)) ? url : null;
}

/** The app that both addresses name; null: a browser must not be sent there. */
export function appOf(clientId: string | undefined, redirectUri: string | undefined): App | null {
  if (clientId === undefined || redirectUri === undefined) return null;
  const [client, redirect] = [readAddress(clientId), readAddress(redirectUri)];
  if (!client || !redirect || client.protocol !== redirect.protocol) return null;
  const [host, local] = [hostOfApp(client), isLocal(client)];
  return hostOfApp(redirect) === host ? { clientId, redirectUri, redirect, host, isLocal: local } : null;
}
