/**
 * The contents of /docs: the chapters of the introduction, then every operation under its tag, with the words to find
 * it by.
 */

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
}

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  deprecated?: boolean;
  parameters?: { $ref?: string; name?: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Document {
  info: { description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Of a heading, as page.js gives it to the heading that Swagger UI made. */
const slugOf = (heading: string) => heading.toLowerCase().replaceAll(/\W+/g, "-");

/** Every name of a field that a schema shows, at any depth. */
function fieldsOf(document: Document, schema: Schema | undefined, seen = new Set<Schema>()): string[] {
  if (!schema || seen.has(schema)) return [];
  seen.add(schema);
  if (schema.$ref)
    return fieldsOf(document, document.components.schemas[schema.$ref.split("/").at(-1) ?? ""], seen);
  const inner = [schema.items, ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  const properties = Object.entries(schema.properties ?? {});
  return [
    ...properties.flatMap(([name, property]) => [name, ...fieldsOf(document, property, seen)]),
    ...inner.flatMap((one) => fieldsOf(document, one, seen)),
  ];
}

function wordsOf(document: Document, path: string, method: string, operation: Operation): string {
  const bodies = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
    Object.values(part?.content ?? {}).flatMap(({ schema }) => fieldsOf(document, schema)),
  );
  const parameters = (operation.parameters ?? []).flatMap(({ name }) => name ?? []);
  const words = [method, path, operation.summary, operation.operationId, ...parameters, ...bodies];
  return [...new Set(words)].join(" ").toLowerCase();
}

export function navigation(document: Document): string {
  const chapters = [...document.info.description.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  const link = (href: string, text: string, words: string) =>
    `<li data-words="${escaped(words)}"><a href="${href}">${text}</a></li>`;
  const group = (heading: string, links: string[]) => `<h2>${heading}</h2><ul>${links.join("")}</ul>`;
  const introduction = [...chapters, "Schemas"].map((heading) =>
    link(`#${slugOf(heading)}`, escaped(heading), heading.toLowerCase()),
  );
  const ofTags = document.tags.map(({ name }) =>
    group(
      escaped(name),
      operations
        .filter(({ tags }) => tags.includes(name))
        .map(({ path, method, ...operation }) =>
          link(
            `#/${encodeURIComponent(name)}/${operation.operationId}`,
            `<b>${method.toUpperCase()}</b> ${escaped(operation.summary)}`,
            wordsOf(document, path, method, operation),
          ),
        ),
    ),
  );
  return [group("Introduction", introduction), ...ofTags].join("\n");
}
