/** Wraps a database so that batches with a write go to `write`. Queries use only `batch` (query.ts) and its results. */
export function withWrites(
  db: D1Database,
  write: (statements: D1PreparedStatement[]) => Promise<{ results: unknown[] }[]>,
): D1Database {
  const reads = new WeakSet<D1PreparedStatement>();
  const prepare = (text: string) => ({
    bind(...params: unknown[]): D1PreparedStatement {
      const bound = db.prepare(text).bind(...params);
      if (/^\s*select\b/i.test(text)) reads.add(bound);
      return bound;
    },
  });
  const batch = (statements: D1PreparedStatement[]) =>
    statements.every((each) => reads.has(each)) ? db.batch(statements) : write(statements);
  // The cast is safe: queries use nothing else from a database.
  return { prepare, batch } as object as D1Database;
}
