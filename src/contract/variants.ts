/** One of the shapes that a body may have. */
interface Variant {
  title: string;
  /** The required fields of this shape, besides those that every shape requires. */
  required: readonly string[];
  /** Fields that it does not have. */
  without?: readonly string[];
}

interface ObjectSchema {
  properties?: Record<string, unknown>;
  required?: string[];
  additionalProperties?: unknown;
}

/**
 * Documents a body as shapes with their own fields: generators turn these into a union of types, but ignore bare lists
 * of required fields. `anyOf`: a body may have more than one of the shapes at once.
 */
export const variants =
  (combined: "oneOf" | "anyOf", shapes: readonly Variant[]) =>
  ({ jsonSchema }: { jsonSchema: object }): void => {
    const schema: ObjectSchema = jsonSchema;
    const { properties = {}, required = [], additionalProperties } = schema;
    for (const keyword of ["type", "properties", "required", "additionalProperties"])
      Reflect.deleteProperty(schema, keyword);
    Object.assign(schema, {
      [combined]: shapes.map(({ title, required: own, without = [] }) => ({
        type: "object",
        title,
        properties: Object.fromEntries(
          Object.entries(properties).filter(([name]) => !without.includes(name)),
        ),
        required: [...required, ...own],
        ...(additionalProperties === false && { additionalProperties }),
      })),
    });
  };
