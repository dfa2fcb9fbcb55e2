import { limits } from "../contract/limits.ts";
import type { Scope } from "../contract/scopes.ts";
import { remember } from "../platform/remember.ts";

interface Token {
  organizationId: string;
  scopes: readonly string[];
}

/** A window that had no room, and for how many requests it was. */
interface FullWindow {
  untilMs: number;
  requestsPerMinute: number;
}

/**
 * What this isolate remembers of senders, so that a refusal costs next to nothing: a token's organization and scopes,
 * which never change (the token itself is read on every request), until when an organization's window is full, which
 * sessions and review links opened a page, the senders whose tokens, sessions and links keep being unknown, and how
 * many reads and large bodies of an organization are under way.
 */
const tokens = new Map<string, Token>();
const fullWindows = new Map<string, FullWindow>();
const visitors = new Map<string, true>();
const blockedUntilMs = new Map<string, number>();
const uncountedReads = new Map<string, number>();
const largeBodies = new Map<string, LargeBodies>();

/** Some 100 bytes each. */
const maxRemembered = 10_000;

export const rememberToken = (tokenHash: string, token: Token): void =>
  remember(tokens, tokenHash, token, maxRemembered);

/** A token that was revoked or erased is unknown like any other. */
export const forgetToken = (tokenHash: string): void => {
  tokens.delete(tokenHash);
};

export const isKnownToken = (tokenHash: string): boolean => tokens.has(tokenHash);

/** Whether a token is known not to have this scope. */
export const lacksScope = (tokenHash: string, scope: Scope | null): boolean =>
  scope !== null && tokens.get(tokenHash)?.scopes.includes(scope) === false;

export const rememberLimited = (organizationId: string, window: FullWindow): void =>
  remember(fullWindows, organizationId, window, maxRemembered);

/** Whether the window of a token's organization is known to be full. */
export const isLimited = (tokenHash: string, nowMs: number): boolean =>
  (fullWindows.get(tokens.get(tokenHash)?.organizationId ?? "")?.untilMs ?? 0) > nowMs;

/** The same for a ceiling, which another plan may have raised meanwhile; answers until when. */
export function fullUntilMs(organizationId: string, requestsPerMinute: number, nowMs: number) {
  const window = fullWindows.get(organizationId);
  const isFull = window && window.untilMs > nowMs && window.requestsPerMinute >= requestsPerMinute;
  return isFull ? window.untilMs : undefined;
}

/** A session or a review's link that opened a page, by its digest; each request still looks it up. */
export const rememberVisitor = (secretHash: string): void =>
  remember(visitors, secretHash, true, maxRemembered);

export const forgetVisitor = (secretHash: string): void => {
  visitors.delete(secretHash);
};

export const isKnownVisitor = (secretHash: string): boolean => visitors.has(secretHash);

export const blockAddress = (address: string, untilMs: number): void =>
  remember(blockedUntilMs, address, untilMs, maxRemembered);

/** When an address that sent too many unknown tokens may send the next one; undefined: now. */
export function blockedUntil(address: string, nowMs: number): number | undefined {
  const untilMs = blockedUntilMs.get(address);
  return untilMs !== undefined && untilMs > nowMs ? untilMs : undefined;
}

/** Stands for all tokens whose organization is not known here: any of them may be of any organization. */
const nobody = "";

/**
 * Room to read data before the request is counted; answers how to give it back, undefined if there is none: then the
 * request is counted first. Requests of unknown tokens take room of every organization.
 */
export function takeUncountedRead(tokenHash: string): (() => void) | undefined {
  const organizationId = tokens.get(tokenHash)?.organizationId ?? nobody;
  const others = organizationId === nobody ? [...uncountedReads.values()] : [uncountedReads.get(nobody) ?? 0];
  const own = organizationId === nobody ? 0 : (uncountedReads.get(organizationId) ?? 0);
  const taken = others.reduce((sum, reads) => sum + reads, own);
  return taken < limits.uncountedReads ? takeOne(uncountedReads, organizationId) : undefined;
}

interface LargeBodies {
  count: number;
  bytes: number;
}

/** Room for a large body in this isolate's memory; answers how to give it back, undefined if there is none. */
export function takeLargeBody(organizationId: string, bytes: number): (() => void) | undefined {
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

/** Counts one more under a key, and answers how to count it no more: once, however often that is called. */
function takeOne(counts: Map<string, number>, key: string): () => void {
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
