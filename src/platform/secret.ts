import { randomBytes } from "node:crypto";
import { sha256Hex } from "./digest.ts";

/** Too long to guess, because anyone with a link, a key or a session is treated as the mailbox's owner. */
const secretBytes = 32;
const secretCharacters = 43;

/** A link's secret begins with its workspace's prefix and has the same length, with 210 random bits (contract X5). */
export const newSecret = (linkPrefix = ""): string =>
  `${linkPrefix}${randomBytes(secretBytes).toString("base64url")}`.slice(0, secretCharacters);

/** 48 random bits as 8 characters, which a workspace's links begin with. */
export const newLinkPrefix = (): string => randomBytes(6).toString("base64url");

/** Whether a text is formatted like a secret; any other is not worth a query. */
export const isSecret = (text: string | undefined): text is string => /^[\w-]{43}$/.test(text ?? "");

/** Secrets are as random as API tokens, so a plain digest suffices at rest. */
export const secretHash = (secret: string): string => sha256Hex(secret);

const maxSecrets = 2;

/** The values of a configured secret: one, or during a rotation two, newest first, separated by a comma. */
export const secretsOf = (configured: string | undefined): readonly string[] =>
  (configured ?? "")
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "")
    .slice(0, maxSecrets);
