import * as z from "zod";

/** A field of an update may be left out. Null clears it, if a create may leave it out. */
type Change<S extends z.ZodType> =
  S extends z.ZodOptional<infer T extends z.ZodType> ? z.ZodOptional<z.ZodNullable<T>> : z.ZodOptional<S>;

/**
 * The fields of an update, derived from those of the create. Object.fromEntries keeps the names; each is built as its
 * type says.
 */
export function changesOf<S extends Record<string, z.ZodType>>(shape: S) {
  const changes = Object.entries(shape).map(([name, schema]) => [
    name,
    z.optional(schema instanceof z.ZodOptional ? z.nullable(schema.unwrap()) : schema),
  ]);
  return Object.fromEntries(changes) as { [K in keyof S]: Change<S[K]> };
}

/** Whether an update names at least one field. */
export const changesSomething = (changes: object): boolean =>
  Object.values(changes).some((value) => value !== undefined);
