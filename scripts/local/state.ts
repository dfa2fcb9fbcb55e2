/** The files in a local server's STATE_DIR, through which other commands find it. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

export interface LocalServer {
  base_url: string;
  apikey: string;
  token: string;
  organization: string;
  stripe_webhook_secret: string;
  /** Each cell's URL, if there are several; `base_url` is the front's. */
  cells?: { name: string; url: string }[];
  /** A link that signs in the workspace's owner once. */
  sign_in_url?: string;
  /** A personal review link, as e-mailed to the client. */
  review_url?: string;
}

export interface State {
  directory: string;
  /** The dev registry for this server and its admin commands. Each server has its own. */
  registry: string;
  /** Exists while the server is running. */
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

/** Null if no server is running. */
export function announcedServer({ serverFile }: State): LocalServer | null {
  try {
    return JSON.parse(readFileSync(serverFile, "utf8"));
  } catch {
    return null;
  }
}

export function announce({ directory, serverFile }: State, server: LocalServer): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(`${serverFile}.new`, `${JSON.stringify(server, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${serverFile}.new`, serverFile);
}

export const withdraw = ({ serverFile }: State): void => rmSync(serverFile, { force: true });

export const forgetTraces = ({ directory }: State): void =>
  rmSync(join(directory, "v3", "observability"), { recursive: true, force: true });

/**
 * Removes stale entries left by a crash. Anyone who can read an entry can run operations, so only this user may read
 * the folder.
 */
export function renewRegistry({ registry }: State): void {
  rmSync(registry, { recursive: true, force: true });
  mkdirSync(registry, { recursive: true, mode: 0o700 });
}
