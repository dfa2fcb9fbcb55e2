import { type Document, type DocumentedOperation, type Media, resolved } from "./document.ts";
import { cell, fieldTable, typeOf } from "./fields.ts";

interface Page {
  method: string;
  path: string;
  operation: DocumentedOperation;
}

/**
 * The pages that machines read, by the address they are served at: llms.txt, and Markdown for each operation and
 * event.
 */
export function markdownPages(document: Document): Record<string, string> {
  const pages = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return {
    "llms.txt": overview(document, pages),
    "docs/introduction.md": `# ${document.info.title} ${document.info.version}\n\n${document.info.description}\n`,
    "docs/events.md": events(document),
    ...Object.fromEntries(
      pages.map((page) => [`docs/${page.operation.operationId}.md`, operationPage(document, page)]),
    ),
  };
}

function overview({ info, tags }: Document, pages: readonly Page[]): string {
  const sections = tags.map(({ name, description }) => {
    const lines = pages
      .filter(({ operation }) => operation.tags?.includes(name))
      .map(({ method, path, operation: { operationId, summary, deprecated } }) => {
        const isOld = deprecated ? " (deprecated)" : "";
        return `- [${summary}](/docs/${operationId}.md): \`${method} ${path}\`${isOld}`;
      });
    return `## ${name}\n\n${description}\n\n${lines.join("\n")}\n`;
  });
  const [promise = ""] = info.description.split("\n\n");
  return `# ${info.title}

> ${promise.replaceAll("\n", " ")}

- [Introduction](/docs/introduction.md): authentication, scopes, idempotency, lists, errors, limits, versions
- [Events](/docs/events.md): what webhooks and the feed tell, with the fields of each event
- [OpenAPI document](/api-v1/openapi.json): all of it for tools
- [Postman collection](/docs/partner-api.postman_collection.json): every call, ready to be sent

${sections.join("\n")}`;
}

function operationPage(document: Document, { method, path, operation }: Page): string {
  const { summary, description = "", deprecated, requestBody, responses } = operation;
  const body = requestBody && Object.values(requestBody.content)[0];
  const answers = Object.entries(responses).map(([status, given]) => ({
    status: Number(status),
    answer: resolved(document, given),
  }));
  const succeeding = answers.filter(({ status }) => status < 400);
  return joined([
    `# ${summary}`,
    `\`${method} ${path}\`${deprecated ? " (deprecated)" : ""}`,
    description,
    parameterSection(document, operation),
    body && `## Body\n\n${media(document, body)}`,
    ...succeeding.map(({ status, answer: { description: meaning, content = {} } }) => {
      if (status === 200 && succeeding.length > 1) return replay;
      const [[type, shown] = []] = Object.entries(content);
      const format = type === "application/json" || !type ? "" : ` (\`${type}\`)`;
      const body = shown && type === "application/json" ? media(document, shown) : "";
      return `## ${status}: ${meaning}${format}\n\n${body}`;
    }),
    `## Errors\n\n${errorTable(answers.filter(({ status }) => status >= 400))}`,
  ]);
}

const replay =
  "## 200: A replay\n\nThe fields of the first answer, and `idempotent_replay: true`: nothing was done again.";

function parameterSection(document: Document, { parameters = [] }: DocumentedOperation): string | undefined {
  if (parameters.length === 0) return undefined;
  const rows = parameters.map((given) => {
    const { name, in: place, required, description = "", schema } = resolved(document, given);
    const type = typeOf(document, schema);
    return `| \`${name}\` | ${place} | ${type} | ${required ? "yes" : "no"} | ${cell(description)} |`;
  });
  const head = ["| parameter | in | type | required | meaning |", "|---|---|---|---|---|"];
  return `## Parameters\n\n${[...head, ...rows].join("\n")}`;
}

/** The fields of a body, and its first example. */
function media(document: Document, { schema, examples = {} }: Media): string {
  const [example] = Object.values(examples);
  const shown = example && `\`\`\`json\n${JSON.stringify(example.value, null, 2)}\n\`\`\``;
  return joined([fieldTable(document, resolved(document, schema)), shown]).trimEnd();
}

function errorTable(answers: { status: number; answer: { content?: Record<string, Media> } }[]): string {
  const rows = answers.flatMap(({ status, answer: { content = {} } }) =>
    Object.values(content).flatMap(({ examples = {} }) =>
      Object.values(examples).map(({ summary = "", value }) => {
        const { code } = value as { code?: string };
        return `| ${status} | ${code ? `\`${code}\`` : ""} | ${cell(summary)} |`;
      }),
    ),
  );
  return ["| status | code | meaning |", "|---|---|---|", ...rows].join("\n");
}

function events(document: Document): string {
  const sections = Object.entries(document.webhooks).map(([name, { post }]) => {
    const body = post.requestBody && Object.values(post.requestBody.content)[0];
    return joined([`## ${name}`, post.summary, body && media(document, body)]);
  });
  return `# Events\n\nThe bodies of signed deliveries.\n\n${sections.join("\n")}`;
}

const joined = (parts: (string | undefined)[]) => `${parts.filter(Boolean).join("\n\n")}\n`;
