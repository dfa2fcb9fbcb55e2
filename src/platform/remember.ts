/**
 * Keeps a value in an isolate's memory. A memory that is full of other keys is cleared first, so that it stays
 * bounded.
 */
export function remember<T>(memory: Map<string, T>, key: string, value: T, maxEntries: number): void {
  if (memory.size >= maxEntries && !memory.has(key)) memory.clear();
  memory.set(key, value);
}
