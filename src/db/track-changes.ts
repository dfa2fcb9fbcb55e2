/** Wraps a database to track whether any rows have changed. Every query goes through `batch` (query.ts). */
export function trackChanges(db: D1Database): { db: D1Database; hasChangedRows: () => boolean } {
  let hasChangedRows = false;
  const batch = async <T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> => {
    const results = await db.batch<T>(statements);
    hasChangedRows ||= results.some(({ meta }) => meta.changed_db);
    return results;
  };
  const get = (_: D1Database, name: keyof D1Database) => (name === "batch" ? batch : db[name].bind(db));
  return { db: new Proxy(db, { get }), hasChangedRows: () => hasChangedRows };
}
