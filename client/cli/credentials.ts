/** Stores the token of `partner-api login` in a file that only this user can read. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

export interface Credentials {
  url: string;
  apikey: string;
  token: string;
}

const credentialsPath = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "partner-api", "credentials.json");

export function saveCredentials(credentials: Credentials): void {
  const path = credentialsPath();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${crypto.randomUUID()}`;
  writeFileSync(unfinished, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(unfinished, path);
}

/** Undefined before the first login, or if the file is not one of ours. */
function keptCredentials(): Credentials | undefined {
  try {
    const { url, apikey, token } = JSON.parse(readFileSync(credentialsPath(), "utf8"));
    return [url, apikey, token].every((text) => typeof text === "string")
      ? { url, apikey, token }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Completes the given credentials from `login`. A stored token is never sent to another service. */
export function credentialsFor(given: Partial<Credentials>): Partial<Credentials> {
  if (given.apikey !== undefined || given.token !== undefined) return given;
  const kept = keptCredentials();
  return kept && (given.url === undefined || originOf(given.url) === originOf(kept.url)) ? kept : given;
}

const originOf = (url: string): string | undefined => URL.parse(url)?.origin;
