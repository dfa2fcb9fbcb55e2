/** One of the shapes that a body may have. */
interface Variant {
  title: string;
  /** The fields that this shape requires, besides those that all shapes require. */
  required: readonly string[];
  /** Fields that this shape does not have. */
  without?: readonly string[];
}

interface ObjectSchema {
  properties?: Record<string, unknown>;
  required?: string[];
  additionalProperties?: unknown;
}

/**
 * Documents a body as shapes, each with its own fields. Generators turn them into a union of types; they ignore
 * plain lists of required fields. `anyOf`: a body may match several shapes at once.
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
