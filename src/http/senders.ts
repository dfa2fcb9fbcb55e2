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
 * sessions and review links opened a page, and the senders whose tokens, sessions and links keep being unknown.
 */
const tokens = new Map<string, Token>();
const fullWindows = new Map<string, FullWindow>();
const visitors = new Map<string, true>();
const blockedUntilMs = new Map<string, number>();
const largeBodies = new Map<string, number>();

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

/** Room for a large body in this isolate's memory; answers how to give it back, undefined if there is none. */
export function takeLargeBody(organizationId: string): (() => void) | undefined {
  const taken = largeBodies.get(organizationId) ?? 0;
  if (taken >= limits.largeBodiesAtATime) return undefined;
  largeBodies.set(organizationId, taken + 1);
  return () => {
    const left = (largeBodies.get(organizationId) ?? 1) - 1;
    if (left > 0) largeBodies.set(organizationId, left);
    else largeBodies.delete(organizationId);
  };
}
