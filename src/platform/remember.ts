/** Sets a value in a bounded map. A full map is cleared before another key is added. */
export function remember<T>(memory: Map<string, T>, key: string, value: T, maxEntries: number): void {
  if (memory.size >= maxEntries && !memory.has(key)) memory.clear();
  memory.set(key, value);
}
