/** A refusal in the shape of RPC (CONTRACT 11). */
export const refusedCall = (
  status: 400 | 401 | 403 | 404 | 405 | 429 | 500,
  message: string,
  hint: string | null = null,
  headers: Readonly<Record<string, string>> = {},
): Response => Response.json({ message, hint }, { status, headers });
