import { env } from "cloudflare:workers";
import { vi } from "vitest";

const batch = env.DB.batch.bind(env.DB);
const put = env.IMAGES.put.bind(env.IMAGES);

/** The outcome of a round trip to D1: it succeeds, is lost, or takes effect but its response is lost. */
type TripOutcome = "through" | "lost" | "answer lost";

/** Sets the outcomes of the next round trips to D1, numbered from 1. Returns a function that returns their count. */
export function setTripOutcomes(fate: (trip: number) => TripOutcome): () => number {
  let trips = 0;
  vi.spyOn(env.DB, "batch").mockImplementation(async (statements: D1PreparedStatement[]) => {
    trips += 1;
    const decided = fate(trips);
    if (decided === "through") return batch(statements) as never;
    if (decided === "answer lost") await batch(statements);
    throw new Error("D1_ERROR: D1 DB is overloaded. Requests queued for too long.");
  });
  return () => trips;
}

export const restoreDatabase = (): void => vi.mocked(env.DB.batch).mockRestore();

/** Makes the bucket fail before it stores an object, or after it has stored a part of it. */
export function failBucket(kept: "nothing" | "a part"): void {
  vi.spyOn(env.IMAGES, "put").mockImplementation((async (key: string) => {
    if (kept === "a part") await put(key, "part of an image");
    throw new Error("put: We encountered an internal error. Please try again. (10001)");
  }) as never);
}

export const restoreBucket = (): void => vi.mocked(env.IMAGES.put).mockRestore();

export const neverResolves = (): Promise<never> => new Promise(() => {});

/** Makes D1 reject every writing batch with the given error message. Reads still succeed. */
export function refuseWrites(words: string): void {
  vi.spyOn(env.DB, "batch").mockImplementation(async (statements: D1PreparedStatement[]) => {
    if (statements.every(isRead)) return batch(statements) as never;
    throw new Error(`D1_ERROR: ${words}`);
  });
}

/** Checks a statement's SQL, which its type does not declare. */
const isRead = (statement: D1PreparedStatement): boolean =>
  !/\b(?:insert|update|delete)\b/i.test(Reflect.get(statement, "statement") as string);
