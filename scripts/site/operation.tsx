/** An operation's page: parameters and responses, next to code samples and a form to try the call. */
import { raw } from "hono/html";
import { Badge } from "../../src/pages/parts/badge.tsx";
import { Fold } from "../../src/pages/parts/card.tsx";
import type { SitePage } from "./contents.ts";
import { type Document, type DocumentedCall, type DocumentedParameter, resolved } from "./document.ts";
import { boundsOf, type FieldRow, sentence, shapesOf, typeOf } from "./fields.ts";
import { type Rendering, renderLine } from "./markdown.ts";
import { answersOf, refusalsIn } from "./operation-markdown.ts";
import { CodeTabs, OneOf, SectionLinks, Verb } from "./parts.tsx";
import { TryIt } from "./try-it.tsx";

interface OperationPageOptions {
  document: Document;
  call: DocumentedCall;
  rendering: Pick<Rendering, "addressOfCall">;
  /** The guides that mention the operation. */
  guides: SitePage[];
}

export function OperationPage({ document, call, rendering, guides }: OperationPageOptions) {
  const { method, path, operation } = call;
  const { summary, description = "", deprecated, requestBody, "x-required-scope": scope } = operation;
  const parameters = (operation.parameters ?? []).map((given) => resolved(document, given));
  const body = requestBody && Object.values(requestBody.content)[0];
  const answers = answersOf(document, operation);
  const links = Object.values(answers.find(({ answer }) => answer.links)?.answer.links ?? {});
  const line = (text: string) => raw(renderLine(text, rendering));
  const [first, ...more] = description.split("\n\n").filter((text) => !/^Scopes?[:,]/.test(text));
  return (
    <div class="operation">
      <div class="stack wide">
        <div class="stack tight">
          <p class="row">
            <Verb method={method} />
            <code>{path}</code>
            {deprecated && <Badge tone="warn">Deprecated</Badge>}
          </p>
          <h1>{summary}</h1>
          {first && <p class="lede">{line(first)}</p>}
          {more.map((text) => (
            <p>{line(text)}</p>
          ))}
          <p class="row">
            {scope ? (
              <a class="badge plain" href="/docs/scopes">
                Needs {scope}
              </a>
            ) : (
              <span class="badge plain">Any valid token</span>
            )}
            {method === "POST" && parameters.some(({ name }) => name === "Idempotency-Key") && (
              <a class="badge plain" href="/docs/idempotency">
                Happens once for each Idempotency-Key
              </a>
            )}
          </p>
          <nav class="jumps" aria-label="On this page">
            <SectionLinks
              sections={sectionsOf({ parameters, body, isLinked: links.length + guides.length > 0 })}
            />
          </nav>
        </div>
        {parameters.length > 0 && (
          <section class="stack tight">
            <h2 id="parameters">Parameters</h2>
            <div>
              {parameters.map((parameter) => (
                <FieldLine
                  field={parameterField(document, parameter)}
                  place={parameter.in}
                  rendering={rendering}
                />
              ))}
            </div>
          </section>
        )}
        {body && (
          <section class="stack tight">
            <h2 id="body">Body</h2>
            <Shapes
              shapes={shapesOf(document, resolved(document, body.schema))}
              name="shape"
              rendering={rendering}
              isRequest
            />
          </section>
        )}
        <section class="stack tight">
          <h2 id="responses">Responses</h2>
          <div>
            {answers
              .filter(({ status }) => status < 400)
              .map(({ status, answer }) => (
                <Answer document={document} status={status} answer={answer} rendering={rendering} />
              ))}
            {refusalsIn(answers.filter(({ status }) => status >= 400)).map(({ status, code, meaning }) => (
              <div class="param">
                <header>
                  <Badge tone="bad">{status}</Badge>
                  <a href={`/docs/errors#${code || status}`}>{code || `Error ${status}`}</a>
                  <span class="muted">{line(meaning)}</span>
                </header>
              </div>
            ))}
          </div>
        </section>
        {links.length + guides.length > 0 && <Related links={links} guides={guides} />}
      </div>
      <aside class="stack" id="example" aria-label="Example">
        <CodeTabs
          blocks={(operation["x-codeSamples"] ?? []).map(({ lang, label, source }) => ({
            language: label === "fetch" ? "js fetch" : ({ shell: "sh", python: "python" }[lang] ?? "js"),
            source,
          }))}
          id="call"
        />
        <TryIt call={call} parameters={parameters} body={body?.examples} />
        <ExampleAnswer answers={answers} />
      </aside>
    </div>
  );
}

const sectionsOf = ({
  parameters,
  body,
  isLinked,
}: {
  parameters: DocumentedParameter[];
  body: object | undefined;
  isLinked: boolean;
}) => [
  ...(parameters.length > 0 ? [{ id: "parameters", text: "Parameters" }] : []),
  ...(body ? [{ id: "body", text: "Body" }] : []),
  { id: "responses", text: "Responses" },
  ...(isLinked ? [{ id: "next", text: "See also" }] : []),
  { id: "example", text: "Example" },
];

const parameterField = (
  document: Document,
  { name, required, description = "", schema }: DocumentedParameter,
): FieldRow => ({
  name,
  type: typeOf(document, schema),
  isRequired: required ?? false,
  description: sentence(description, boundsOf({ ...schema, description })),
});

interface FieldLineOptions {
  field: FieldRow;
  place?: string;
  rendering: Pick<Rendering, "addressOfCall">;
  /** Marks required fields. This is for requests only, because every field is present in a response. */
  isRequest?: boolean;
}

const FieldLine = ({ field, place, rendering, isRequest = true }: FieldLineOptions) => (
  <div class="param">
    <header>
      <code>{field.name}</code>
      <span>
        {raw(renderLine(field.type, rendering))}
        {place && place !== "query" ? `, in the ${place}` : ""}
      </span>
      {isRequest && field.isRequired && <span class="required">required</span>}
      {!isRequest && !field.isRequired && <span>sometimes</span>}
    </header>
    {field.description && <p class="muted">{raw(renderLine(field.description, rendering))}</p>}
  </div>
);

interface ShapesOptions {
  shapes: ReturnType<typeof shapesOf>;
  name: string;
  rendering: Pick<Rendering, "addressOfCall">;
  isRequest: boolean;
}

function Shapes({ shapes, name, rendering, isRequest }: ShapesOptions) {
  const lists = shapes.map(({ fields }) => (
    <div>
      {fields.map((field) => (
        <FieldLine field={field} rendering={rendering} isRequest={isRequest} />
      ))}
    </div>
  ));
  const [only] = lists;
  if (lists.length === 1) return only as NonNullable<typeof only>;
  return (
    <OneOf
      label={isRequest ? "Shape of the body" : "Which response"}
      name={name}
      options={shapes.map(({ title }, index) => ({ title, content: lists[index] ?? "" }))}
    />
  );
}

interface AnswerOptions {
  document: Document;
  status: number;
  answer: ReturnType<typeof answersOf>[number]["answer"];
  rendering: Pick<Rendering, "addressOfCall">;
}

function Answer({ document, status, answer, rendering }: AnswerOptions) {
  const json = answer.content?.["application/json"];
  const fields = json ? shapesOf(document, resolved(document, json.schema)) : [];
  return (
    <div class="param">
      <header>
        <Badge tone="good">{status}</Badge>
        <span class="muted">{answer.description}</span>
      </header>
      {fields.length > 0 && (
        <Fold summary="Fields">
          <Shapes shapes={fields} name={`answer-${status}`} rendering={rendering} isRequest={false} />
        </Fold>
      )}
    </div>
  );
}

function ExampleAnswer({ answers }: { answers: ReturnType<typeof answersOf> }) {
  const done = answers.filter(({ status }) => status < 300);
  const chosen = done.find(({ status }) => status === 201) ?? done[0];
  const [example] = Object.values(chosen?.answer.content?.["application/json"]?.examples ?? {});
  if (!chosen || !example) return null;
  return (
    <CodeTabs
      id="answer"
      blocks={[{ language: "json", source: JSON.stringify(example.value, null, 2) }]}
      title={`Example response (${chosen.status})`}
    />
  );
}

type Links = NonNullable<ReturnType<typeof answersOf>[number]["answer"]["links"]>[string][];

const Related = ({ links, guides }: { links: Links; guides: SitePage[] }) => (
  <section class="stack tight">
    <h2 id="next">See also</h2>
    <ul class="see-also">
      {guides.map(({ slug, title, summary }) => (
        <li>
          <a href={`/docs/${slug}`}>{title}</a> <span class="muted">{summary}</span>
        </li>
      ))}
      {links.map(({ operationId, description }) => (
        <li>
          <a href={`/docs/${operationId}`}>{operationId}</a> <span class="muted">{description}</span>
        </li>
      ))}
    </ul>
  </section>
);
