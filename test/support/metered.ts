import { env } from "cloudflare:workers";
import { vi } from "vitest";

interface Metered<T> {
  answer: T;
  /** The rows that D1 reports as read and written by all statements. */
  read: number;
  written: number;
  /** The most rows read by a single statement. */
  most: number;
  largestBytes: number;
}

/**
 * Runs `work` and returns D1's figures, including work after the response. Each batch is awaited in the request that
 * started it, because it would never end elsewhere.
 */
export async function metered<T>(work: () => Promise<T>): Promise<Metered<T>> {
  const batch = env.DB.batch.bind(env.DB);
  const metas: D1Meta[] = [];
  const bytes: number[] = [];
  let open = 0;
  const spy = vi.spyOn(env.DB, "batch").mockImplementation(async (statements: D1PreparedStatement[]) => {
    open += 1;
    try {
      const results = await batch(statements);
      metas.push(...results.map(({ meta }) => meta));
      bytes.push(Buffer.byteLength(JSON.stringify(results)));
      return results as never;
    } finally {
      open -= 1;
    }
  });
  try {
    const answer = await work();
    await vi.waitUntil(() => open === 0, { timeout: 10_000, interval: 5 });
    const reads = metas.map(({ rows_read }) => rows_read);
    const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
    return {
      answer,
      read: sum(reads),
      written: sum(metas.map(({ rows_written }) => rows_written)),
      most: Math.max(0, ...reads),
      largestBytes: Math.max(0, ...bytes),
    };
  } finally {
    spy.mockRestore();
  }
}
