/** One of the shapes that a body may have. */
interface Variant {
  title: string;
  /** The fields required in this shape, besides those that every shape requires. */
  required: readonly string[];
  /** Fields that don't exist in this shape. */
  without?: readonly string[];
}

interface ObjectSchema {
  properties?: Record<string, unknown>;
  required?: string[];
  additionalProperties?: unknown;
}

/**
 * Documents a body as several shapes, each with its own fields. Code generators turn them into a union type, while they
 * ignore a plain list of required fields. It uses `anyOf` because a body can match several shapes at once.
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
