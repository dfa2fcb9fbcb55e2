/**
 * Processes all items, with a limit on how many at once, and returns the results in the items' order. After the first
 * failure, it does not start further items, waits for those in progress, and rejects.
 */
export async function inParallel<T, R>(
  atOnce: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
