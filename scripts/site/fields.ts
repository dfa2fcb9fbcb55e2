import { type Document, resolved, type Schema } from "./document.ts";

export interface FieldRow {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

/** The fields of an object, or of one variant of a union. */
export interface Shape {
  title: string;
  fields: FieldRow[];
}

export function shapesOf(document: Document, schema: Schema): Shape[] {
  const alternatives = schema.oneOf ?? schema.anyOf ?? [];
  const named = alternatives.map((alternative) => resolved(document, alternative));
  if (named.length < 2 || named.some(({ title }) => title === undefined))
    return [{ title: "", fields: fieldsOf(document, schema) }];
  return named.map((shape) => ({ title: shape.title ?? "", fields: fieldsOf(document, shape) }));
}

function fieldsOf(document: Document, schema: Schema, path = ""): FieldRow[] {
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const field = resolved(document, given);
    const at = `${path}${name}`;
    const isRequired = schema.required?.includes(name) ?? false;
    const description = sentence(field.description, boundsOf(field));
    const items = field.items ? fieldsOf(document, resolved(document, field.items), `${at}[].`) : [];
    const inner = [...fieldsOf(document, field, `${at}.`), ...items];
    return [{ name: at, type: typeOf(document, field), isRequired, description }, ...inner];
  });
  const fields = [...own, ...parts.flatMap((part) => fieldsOf(document, resolved(document, part), path))];
  return fields.filter(({ name }, index) => fields.findIndex((other) => other.name === name) === index);
}

export function typeOf(document: Document, schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(", ");
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) {
    return [...new Set(alternatives.map((part) => typeOf(document, resolved(document, part))))].join(" or ");
  }
  if (schema.items) return `list of ${typeOf(document, resolved(document, schema.items))}`;
  const types = [schema.type ?? "object"].flat().join(" or ");
  return schema.format ? `${types} (${schema.format})` : types;
}

/** Joins the parts of a field's description into sentences. */
export const sentence = (...parts: (string | undefined)[]): string => {
  const said = parts.filter((part) => part !== undefined && part !== "");
  return said.map((part = "") => part.charAt(0).toUpperCase() + part.slice(1).replace(/\.$/, "")).join(". ");
};

/** A value's limits, unless its description states them. A format implies its length. */
export function boundsOf({ minLength, maxLength, description = "", ...schema }: Schema): string {
  const range = (min: number | undefined, max: number | undefined, unit: string) => {
    const stated = max ?? min;
    const plural = unit && `${unit}s`;
    if (stated === undefined || new RegExp(`\\b${stated}\\b`).test(description)) return [];
    if (min === undefined) return [`at most ${max}${plural}`];
    if (max === undefined) return [min === 1 && unit ? `at least one${unit}` : `at least ${min}${plural}`];
    return [`${min} to ${max}${plural}`];
  };
  return [
    ...range(schema.minimum, schema.maximum, ""),
    ...(schema.format ? [] : range(minLength, maxLength, " character")),
    ...range(schema.minItems, schema.maxItems, " item"),
    ...(schema.default === undefined || /default/i.test(description)
      ? []
      : [`default ${JSON.stringify(schema.default)}`]),
  ].join(", ");
}
