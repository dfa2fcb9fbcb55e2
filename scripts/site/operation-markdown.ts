import {
  type Document,
  type DocumentedAnswer,
  type DocumentedCall,
  type Media,
  resolved,
} from "./document.ts";
import { shapesOf, typeOf } from "./fields.ts";

/** An operation's page as Markdown. */
export function operationMarkdown(document: Document, { method, path, operation }: DocumentedCall): string {
  const { summary, description = "", deprecated, requestBody, "x-codeSamples": samples = [] } = operation;
  const body = requestBody && Object.values(requestBody.content)[0];
  const answers = answersOf(document, operation);
  const succeeding = answers.filter(({ status }) => status < 400);
  const [curl] = samples;
  return joined([
    `# ${summary}`,
    `\`${method} ${path}\`${deprecated ? " (deprecated)" : ""}`,
    description,
    parameterSection(document, operation),
    body && `## Body\n\n${media(document, body, "required")}`,
    curl && `## Example\n\n\`\`\`sh\n${curl.source}\n\`\`\``,
    ...succeeding.map(({ status, answer: { description: meaning, content = {} } }) => {
      if (status === 200 && succeeding.length > 1 && method === "POST") return replay;
      const [[type, shown] = []] = Object.entries(content);
      const format = type === "application/json" || !type ? "" : ` (\`${type}\`)`;
      const body = shown && type === "application/json" ? media(document, shown, "always") : "";
      return `## ${status}: ${meaning}${format}\n\n${body}`;
    }),
    `## Errors\n\n${errorTable(answers.filter(({ status }) => status >= 400))}`,
    leadsTo(succeeding),
  ]);
}

const replay =
  "## 200: A replay, or a dry run\n\nA replay returns the first response plus `idempotent_replay: true`, " +
  "and the write is not repeated. A dry run returns the fields of the real response, `dry_run: true`, and " +
  "`would_be`, the status of the real request.";

export const answersOf = (document: Document, { responses }: DocumentedCall["operation"]) =>
  Object.entries(responses).map(([status, given]) => ({
    status: Number(status),
    answer: resolved(document, given),
  }));

function parameterSection(
  document: Document,
  { parameters = [] }: DocumentedCall["operation"],
): string | undefined {
  if (parameters.length === 0) return undefined;
  const rows = parameters.map((given) => {
    const { name, in: place, required, description = "", schema } = resolved(document, given);
    const type = typeOf(document, schema);
    return `| \`${name}\` | ${place} | ${type} | ${required ? "yes" : "no"} | ${cell(description)} |`;
  });
  const head = ["| parameter | in | type | required | meaning |", "|---|---|---|---|---|"];
  return `## Parameters\n\n${[...head, ...rows].join("\n")}`;
}

/** A body's fields, as one table per variant, and its first example. */
function media(document: Document, { schema, examples = {} }: Media, need: "required" | "always"): string {
  const [example] = Object.values(examples);
  const shown = example && `\`\`\`json\n${JSON.stringify(example.value, null, 2)}\n\`\`\``;
  const shapes = shapesOf(document, resolved(document, schema));
  const tables = shapes.map(({ title, fields }) =>
    joined([
      title && `### ${title}`,
      [`| field | type | ${need} | meaning |`, "|---|---|---|---|", ...fields.map(row)].join("\n"),
    ]).trimEnd(),
  );
  const advice = need === "required" ? "Send one of these shapes:" : "The response is one of these:";
  const choice = shapes.length > 1 ? advice : undefined;
  return joined([choice, ...tables, shown]).trimEnd();
}

const row = ({
  name,
  type,
  isRequired,
  description,
}: ReturnType<typeof shapesOf>[number]["fields"][number]) =>
  `| \`${name}\` | ${type} | ${isRequired ? "yes" : "no"} | ${cell(description)} |`;

/** Every error's status, code and meaning. */
export const refusalsIn = (answers: { status: number; answer: DocumentedAnswer }[]) =>
  answers.flatMap(({ status, answer: { content = {} } }) =>
    Object.values(content).flatMap(({ examples = {} }) =>
      Object.values(examples).map(({ summary = "", value }) => {
        const body = value as { error: string; code?: string };
        return { status, code: body.code ?? "", meaning: summary, body };
      }),
    ),
  );

function errorTable(answers: { status: number; answer: DocumentedAnswer }[]): string {
  const rows = refusalsIn(answers).map(
    ({ status, code, meaning }) => `| ${status} | ${code && `\`${code}\``} | ${cell(meaning)} |`,
  );
  return ["| status | code | meaning |", "|---|---|---|", ...rows].join("\n");
}

function leadsTo(answers: { answer: DocumentedAnswer }[]): string | undefined {
  const links = Object.values(answers.find(({ answer }) => answer.links)?.answer.links ?? {});
  if (links.length === 0) return undefined;
  const lines = links.map(
    ({ operationId, description }) => `- [${operationId}](/docs/${operationId}.md): ${description}`,
  );
  return `## What comes next\n\n${lines.join("\n")}`;
}

export function eventsMarkdown(document: Document): string {
  const sections = Object.entries(document.webhooks).map(([name, { post }]) => {
    const body = post.requestBody && Object.values(post.requestBody.content)[0];
    return joined([`## ${name}`, post.summary, body && media(document, body, "always")]);
  });
  const lede = "The bodies of signed deliveries. See [Webhooks](/docs/webhooks.md) for how to receive them.";
  return `# Events\n\n${lede}\n\n${sections.join("\n")}`;
}

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");

const joined = (parts: (string | undefined)[]) => `${parts.filter(Boolean).join("\n\n")}\n`;
