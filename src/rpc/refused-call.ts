import type { RefusalReason } from "../contract/admin-refusals.ts";

/** The status of a refused operation (CONTRACT 11). */
export const statusOf = {
  invalid: 400,
  not_allowed: 403,
  plan: 403,
  not_found: 404,
  unexpected: 500,
} as const satisfies Record<RefusalReason, number>;

export const refusedCall = (
  status: 400 | 401 | 403 | 404 | 405 | 500,
  message: string,
  hint: string | null = null,
): Response => Response.json({ message, hint }, { status });
