import * as z from "zod";

/** Every field is optional. A field that is optional in a create can be cleared with null. */
type Change<S extends z.ZodType> =
  S extends z.ZodOptional<infer T extends z.ZodType> ? z.ZodOptional<z.ZodNullable<T>> : z.ZodOptional<S>;

/**
 * Derives an update's schema from the fields of a create. The cast restores the types that Object.fromEntries loses.
 */
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
