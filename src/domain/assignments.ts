/**
 * `name = ?, email = ?` and its values, for the columns of `changes` that are given. Names of columns come from the
 * code that calls, values from outside.
 */
export function assignments(changes: Record<string, unknown>): { sql: string; params: unknown[] } {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return {
    sql: given.map(([column]) => `${column} = ?`).join(", "),
    params: given.map(([, value]) => value),
  };
}
