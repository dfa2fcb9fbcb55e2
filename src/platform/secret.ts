import { randomBytes } from "node:crypto";
import { sha256Hex } from "./digest.ts";

/** Too long to guess. Anyone with a link, a key or a session is treated as the mailbox's owner. */
const secretBytes = 32;
const secretCharacters = 43;

/**
 * Creates a secret. A link's secret begins with its workspace's prefix and has the same length, with 210 random bits
 * (contract X5).
 */
export const newSecret = (linkPrefix = ""): string =>
  `${linkPrefix}${randomBytes(secretBytes).toString("base64url")}`.slice(0, secretCharacters);

/** Creates a prefix of 48 random bits as 8 characters. All of a workspace's links begin with it. */
export const newLinkPrefix = (): string => randomBytes(6).toString("base64url");

/** Whether a string is formatted like a secret. Any other string needs no query. */
export const isSecret = (text: string | undefined): text is string => /^[\w-]{43}$/.test(text ?? "");

/** Secrets are as random as API tokens, so storing a plain digest is enough. */
export const secretHash = (secret: string): string => sha256Hex(secret);

const maxSecrets = 2;

/** Returns a configured secret's values: one or, during a rotation, two, newest first and separated by a comma. */
export const secretsOf = (configured: string | undefined): readonly string[] =>
  (configured ?? "")
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "")
    .slice(0, maxSecrets);
