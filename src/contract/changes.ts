import * as z from "zod";

/** An update may omit any field. Null clears a field that a create may omit. */
type Change<S extends z.ZodType> =
  S extends z.ZodOptional<infer T extends z.ZodType> ? z.ZodOptional<z.ZodNullable<T>> : z.ZodOptional<S>;

/** Derives an update's fields from a create's. The cast restores the types that Object.fromEntries loses. */
export function changesOf<S extends Record<string, z.ZodType>>(shape: S) {
  const changes = Object.entries(shape).map(([name, schema]) => [
    name,
    z.optional(schema instanceof z.ZodOptional ? z.nullable(schema.unwrap()) : schema),
  ]);
  return Object.fromEntries(changes) as { [K in keyof S]: Change<S[K]> };
}

/** Whether an update names at least one field. */
export const hasChanges = (changes: object): boolean =>
  Object.values(changes).some((value) => value !== undefined);
