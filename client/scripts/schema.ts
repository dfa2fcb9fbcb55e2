import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript";

/** Generates src/schema.ts from the OpenAPI document. A field with a default stays optional in requests. */
export async function schemaOf(document: object): Promise<string> {
  const types = await openapiTypescript(structuredClone(document) as OpenAPI3, {
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  });
  const head = "/** Generated from openapi.json with openapi-typescript by `npm run openapi`. */";
  return `${head}\n\n${astToString(types)}`;
}
