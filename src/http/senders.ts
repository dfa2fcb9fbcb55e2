import { limits } from "../contract/limits.ts";
import type { Refusal } from "../contract/refusal.ts";
import type { Scope } from "../contract/scopes.ts";
import type { Services } from "../core/services.ts";
import { BoundedMap } from "../platform/bounded-map.ts";
import { rateLimited } from "./responses.ts";

interface Token {
  organizationId: string;
  scopes: readonly string[];
}

/** A full window, and the ceiling at the time. */
interface FullWindow {
  untilMs: number;
  requestsPerMinute: number;
}

/** About 100 bytes each. */
const maxRemembered = 10_000;

/**
 * What this isolate remembers about senders, so that rejecting a request is cheap: a token's organization and scopes,
 * which never change (the token itself is read on every request); the addresses from which a token was rejected; until
 * when an organization's window is full; which sessions, keys and review links exist and which do not; the senders of
 * too many unknown credentials; and an organization's reads and large bodies in progress.
 */
const tokens = new BoundedMap<Token>(maxRemembered);
const refusedSenders = new BoundedMap<true>(maxRemembered);
const fullWindows = new BoundedMap<FullWindow>(maxRemembered);
const knownSecrets = new BoundedMap<true>(maxRemembered);
const unknownSecrets = new BoundedMap<true>(maxRemembered);
const lookups = new BoundedMap<Lookups>(maxRemembered);
const waitingSinceMs = new BoundedMap<number>(maxRemembered);
const blockedUntilMs = new BoundedMap<number>(maxRemembered);
const uncountedReads = new Map<string, number>();
const largeBodies = new Map<string, LargeBodies>();

export function rememberToken(tokenHash: string, token: Token): void {
  tokens.set(tokenHash, token);
  rememberSecret(tokenHash);
}

/** Forgets a revoked or erased token, which is treated as unknown from then on. */
export function forgetToken(tokenHash: string): void {
  tokens.delete(tokenHash);
  forgetSecret(tokenHash);
}

const refusedKey = (tokenHash: string, address: string) => `${tokenHash} ${address}`;

/** Remembers that a token may not be used from an address. Further requests from there read only the token. */
export const refuseSender = (tokenHash: string, address: string): void =>
  void refusedSenders.set(refusedKey(tokenHash, address), true);

export const allowSender = (tokenHash: string, address: string): void =>
  void refusedSenders.delete(refusedKey(tokenHash, address));

export const isRefusedSender = (tokenHash: string, address: string): boolean =>
  refusedSenders.has(refusedKey(tokenHash, address));

export const isKnownToken = (tokenHash: string): boolean => tokens.has(tokenHash);

/** Whether a token is known not to have this scope. */
export const lacksScope = (tokenHash: string, scope: Scope | null): boolean =>
  scope !== null && tokens.get(tokenHash)?.scopes.includes(scope) === false;

export const rememberLimited = (organizationId: string, window: FullWindow): void =>
  void fullWindows.set(organizationId, window);

/** Whether the window of a token's organization is known to be full. */
export const isLimited = (tokenHash: string, nowMs: number): boolean =>
  (fullWindows.get(tokens.get(tokenHash)?.organizationId ?? "")?.untilMs ?? 0) > nowMs;

/** Returns the time until which a window is full; undefined if it isn't, or if a plan change has raised its ceiling. */
export function fullUntilMs(organizationId: string, requestsPerMinute: number, nowMs: number) {
  const window = fullWindows.get(organizationId);
  const isFull = window && window.untilMs > nowMs && window.requestsPerMinute >= requestsPerMinute;
  return isFull ? window.untilMs : undefined;
}

/** Remembers the digest of an existing token, session, key or review link. Each request still looks it up. */
export function rememberSecret(secretHash: string): void {
  knownSecrets.set(secretHash, true);
  unknownSecrets.delete(secretHash);
}

/** Remembers that a secret does not exist or has ended. */
export function forgetSecret(secretHash: string): void {
  knownSecrets.delete(secretHash);
  unknownSecrets.set(secretHash, true);
}

export const isKnownSecret = (secretHash: string): boolean => knownSecrets.has(secretHash);

/** Whether the last lookup did not find the secret. */
export const isUnknownSecret = (secretHash: string): boolean => unknownSecrets.has(secretHash);

export const blockAddress = (address: string, untilMs: number): void =>
  void blockedUntilMs.set(address, untilMs);

/** Returns when the sender of too many unknown tokens may send the next one; undefined if that is now. */
export function blockedUntil(address: string, nowMs: number): number | undefined {
  const untilMs = blockedUntilMs.get(address);
  return untilMs !== undefined && untilMs > nowMs ? untilMs : undefined;
}

interface Lookups {
  secondMs: number;
  taken: number;
  /** When a secret was last rejected because too many were being looked up. */
  lastRefusedMs: number;
}

/** A caller that honors the Retry-After of its 429 retries within this time. */
const contentionLastsMs = 10_000;

/**
 * Uses one of a blocked sender's lookups for this second. Returns false if there are none left. While other secrets
 * wait, some lookups are reserved for those that had to wait before.
 */
export function reserveLookup(key: string, secretHash: string, nowMs: number): boolean {
  const secondMs = nowMs - (nowMs % 1000);
  const before = lookups.get(key);
  const own = before?.secondMs === secondMs ? before : { lastRefusedMs: 0, ...before, secondMs, taken: 0 };
  lookups.set(key, own);
  const hasWaited = (waitingSinceMs.get(secretHash) ?? secondMs) < secondMs;
  const isContended = own.lastRefusedMs >= secondMs - contentionLastsMs;
  const available =
    isContended && !hasWaited ? limits.blockedFirstLookupsPerSecond : limits.blockedLookupsPerSecond;
  if (own.taken < available) {
    own.taken += 1;
    return true;
  }
  own.lastRefusedMs = secondMs;
  if (!hasWaited) waitingSinceMs.set(secretHash, secondMs);
  return false;
}

/**
 * Admits a sender to the API, the pages and RPC (contract N5). A sender of too many unknown credentials is blocked for
 * a minute. Credentials that this isolate knows still pass, and unknown ones use up the few lookups per second. Returns
 * a 429, or the digests that used a lookup.
 */
export function admitSender(address: string, secretHashes: readonly string[]): Refusal | readonly string[] {
  const nowMs = Date.now();
  const untilMs = blockedUntil(address, nowMs);
  if (untilMs === undefined || secretHashes.some(isKnownSecret)) return [];
  const untried = secretHashes.filter((hash) => !isUnknownSecret(hash));
  const admitted = untried.filter((hash) => reserveLookup(address, hash, nowMs));
  if (admitted.length > 0) return admitted;
  return rateLimited(untried.length > 0 ? 1 : Math.ceil((untilMs - nowMs) / 1000));
}

/** Counts a 401, or a 404 from a page, against the sender (`limits.unknownTokensPerMinute`, in wrangler.toml). */
export async function countUnknownSender(
  { unknownSenders }: Pick<Services, "unknownSenders">,
  address: string,
): Promise<void> {
  if (address === "") return;
  const { success } = await unknownSenders.limit({ key: address });
  if (!success) blockAddress(address, Date.now() + limits.rateWindowSeconds * 1000);
}

/** The key for tokens from unknown organizations. They may belong to any organization. */
const unknownOrganization = "";

/**
 * Reserves a slot to read data before the request is counted, and returns its release. Returns undefined if no slot is
 * free and the request must be counted first. A request with an unknown token uses a slot of every organization.
 */
export function reserveUncountedRead(tokenHash: string): (() => void) | undefined {
  const organizationId = tokens.get(tokenHash)?.organizationId ?? unknownOrganization;
  const others =
    organizationId === unknownOrganization
      ? [...uncountedReads.values()]
      : [uncountedReads.get(unknownOrganization) ?? 0];
  const own = organizationId === unknownOrganization ? 0 : (uncountedReads.get(organizationId) ?? 0);
  const taken = others.reduce((sum, reads) => sum + reads, own);
  return taken < limits.uncountedReads ? reserve(uncountedReads, organizationId) : undefined;
}

interface LargeBodies {
  count: number;
  bytes: number;
}

/** Reserves memory in this isolate for a large body, and returns its release; undefined if there isn't enough. */
export function reserveLargeBody(organizationId: string, bytes: number): (() => void) | undefined {
  const own = largeBodies.get(organizationId) ?? { count: 0, bytes: 0 };
  let all = 0;
  for (const taken of largeBodies.values()) all += taken.bytes;
  const hasRoom =
    own.count < limits.largeBodiesAtATime &&
    own.bytes + bytes <= limits.largeBodyBytesOfOrganization &&
    all + bytes <= limits.largeBodyBytes;
  if (!hasRoom) return undefined;
  own.count += 1;
  own.bytes += bytes;
  largeBodies.set(organizationId, own);
  return () => {
    own.count -= 1;
    own.bytes -= bytes;
    if (own.count === 0) largeBodies.delete(organizationId);
  };
}

/** Adds one to a key's count. Returns a function that subtracts it again, at most once. */
function reserve(counts: Map<string, number>, key: string): () => void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
  let isTaken = true;
  return () => {
    if (!isTaken) return;
    isTaken = false;
    const left = (counts.get(key) ?? 1) - 1;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  };
}
