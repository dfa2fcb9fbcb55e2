/** Keeps a value in what an isolate remembers. A memory that is full of others is emptied first: it stays bounded. */
export function remember<T>(memory: Map<string, T>, key: string, value: T, maxEntries: number): void {
  if (memory.size >= maxEntries && !memory.has(key)) memory.clear();
  memory.set(key, value);
}
