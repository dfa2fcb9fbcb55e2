import { limits } from "../contract/limits.ts";

/**
 * What an isolate remembers of senders, so that those who are refused cost next to nothing: which organization a
 * token is of (it never changes; the token itself is read on every request), until when that organization is over its
 * window, and which addresses keep sending tokens that nobody has. Other isolates remember for themselves.
 */
const organizations = new Map<string, string>();
const limitedUntilMs = new Map<string, number>();
const blockedUntilMs = new Map<string, number>();
const largeBodies = new Map<string, number>();

/** Some 100 bytes each. */
const remembered = 10_000;

function remember<T>(memory: Map<string, T>, key: string, value: T): void {
  if (memory.size >= remembered && !memory.has(key)) memory.clear();
  memory.set(key, value);
}

export const rememberToken = (tokenHash: string, organizationId: string): void =>
  remember(organizations, tokenHash, organizationId);

export const isKnownToken = (tokenHash: string): boolean => organizations.has(tokenHash);

export const rememberLimited = (organizationId: string, untilMs: number): void =>
  remember(limitedUntilMs, organizationId, untilMs);

/** Whether the organization of a token was told lately that its window is full. */
export function isLimited(tokenHash: string, nowMs: number): boolean {
  const organizationId = organizations.get(tokenHash);
  return organizationId !== undefined && (limitedUntilMs.get(organizationId) ?? 0) > nowMs;
}

export const blockAddress = (address: string, untilMs: number): void =>
  remember(blockedUntilMs, address, untilMs);

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
