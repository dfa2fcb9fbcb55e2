import { claimLimits } from "../contract/limits.ts";
import { sessionLimits } from "../contract/session-limits.ts";

/** Rows deleted from each table per minute. */
const purgedRows = 5_000;

const longAgo = (modifier: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '${modifier}')`;

/**
 * Deletes sessions that have ended, sign-in links a day after they expire, and the keys of the service once their
 * results are no longer stored, as a service with a single cell does.
 */
export const purgeAccounts = (directory: D1Database): Promise<unknown> =>
  directory.batch([
    directory.prepare(`DELETE FROM sessions WHERE token_hash IN (SELECT token_hash FROM sessions
      WHERE last_used_at < ${longAgo(`-${sessionLimits.idleHours} hours`)} LIMIT ${purgedRows})`),
    directory.prepare(`DELETE FROM sign_in_links WHERE token_hash IN (SELECT token_hash FROM sign_in_links
      WHERE expires_at < ${longAgo("-1 day")} LIMIT ${purgedRows})`),
    directory.prepare(`DELETE FROM service_keys WHERE key IN (SELECT key FROM service_keys
      WHERE created_at < ${longAgo(`-${claimLimits.answerDays} days`)} LIMIT ${purgedRows})`),
  ]);
