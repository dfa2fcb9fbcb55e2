/** What a local server stores under its STATE_DIR, and what others find there. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** How to call a running local server. */
export interface LocalServer {
  base_url: string;
  apikey: string;
  token: string;
  organization: string;
  stripe_webhook_secret: string;
  /** A door of each cell, if there are several; `base_url` is the front's. */
  cells?: { name: string; url: string }[];
  /** Signs in the workspace's owner, once. */
  sign_in_url?: string;
  /** A personal link of a deliverable in review, as its client gets it by e-mail. */
  review_url?: string;
}

export interface State {
  directory: string;
  /** The dev registry of this server and its admin commands only, so that two servers do not see each other. */
  registry: string;
  /** Exists while the server serves. */
  serverFile: string;
}

export function stateAt(directory = process.env.STATE_DIR || ".wrangler/state"): State {
  const absolute = resolve(directory);
  return {
    directory: absolute,
    registry: join(absolute, "registry"),
    serverFile: join(absolute, "local.json"),
  };
}

/** Null if no server has announced itself. */
export function announcedServer({ serverFile }: State): LocalServer | null {
  try {
    return JSON.parse(readFileSync(serverFile, "utf8"));
  } catch {
    return null;
  }
}

/** The file appears completely or not at all. */
export function announce({ directory, serverFile }: State, server: LocalServer): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(`${serverFile}.new`, `${JSON.stringify(server, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${serverFile}.new`, serverFile);
}

export const withdraw = ({ serverFile }: State): void => rmSync(serverFile, { force: true });

/** The traces of earlier starts; a start with traces begins with none. */
export const forgetTraces = ({ directory }: State): void =>
  rmSync(join(directory, "v3", "observability"), { recursive: true, force: true });

/** A crash leaves stale entries. Anyone who reads an entry can run operations, so no one else on this machine may. */
export function renewRegistry({ registry }: State): void {
  rmSync(registry, { recursive: true, force: true });
  mkdirSync(registry, { recursive: true, mode: 0o700 });
}
