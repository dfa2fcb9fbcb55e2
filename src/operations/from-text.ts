import * as z from "zod";

export type Fields = Readonly<Record<string, unknown>>;

/** Parses command-line fields, which are strings, into their schemas' types. Returns other values unchanged. */
export const fromText = ({ shape }: z.ZodObject, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return [name, schema && typeof value === "string" ? read(schema, value) : value];
    }),
  );

/** Returns a string that cannot be parsed unchanged. The schema then rejects it with its own message. */
function read(schema: z.core.$ZodType, text: string): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return read(schema.unwrap(), text);
  if (schema instanceof z.ZodUnion) {
    const isWord = schema.options.some((option) => option instanceof z.ZodLiteral && option.values.has(text));
    if (isWord) return text;
    return schema.options.map((option) => read(option, text)).find((value) => value !== text) ?? text;
  }
  if (schema instanceof z.ZodNullable) return text === "" ? null : read(schema.unwrap(), text);
  if (schema instanceof z.ZodNumber) return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  if (schema instanceof z.ZodBoolean) return text === "true" ? true : text === "false" ? false : text;
  if (schema instanceof z.ZodPipe && schema.in instanceof z.ZodTransform) return read(schema.out, text);
  if (schema instanceof z.ZodRecord) return jsonObject(text);
  if (!(schema instanceof z.ZodArray)) return text;
  const parts = text.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "").map((part) => read(schema.element, part));
}

function jsonObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
