import { createDocument } from "zod-openapi";
import { authorizePath, tokenPath } from "../../src/contract/connect-paths.ts";
import { scopeCatalogue } from "../../src/contract/scopes.ts";
import type { WebhookEvent } from "../../src/core/events/event.ts";
import { placeholders } from "../../src/http/placeholders.ts";
import type { Route } from "../../src/http/route.ts";
import { type CodeSample, codeSamplesOf } from "./code-samples.ts";
import { headerComponents } from "./headers.ts";
import { introduction } from "./introduction.ts";
import { type Link, links } from "./links.ts";
import { idempotencyKey, pathsOf } from "./operations.ts";
import { refusalComponents } from "./refusals.ts";
import { deliveryHeaderComponents, webhooksOf } from "./webhooks.ts";

const tagDescriptions: Record<string, string> = {
  "Time entries": "Time worked on projects",
  Invoices:
    "Invoices with their line items. The API only creates drafts, which are issued and paid in the workspace",
  Projects: "Projects with their milestones",
  Clients: "The people and companies that the workspace works for",
  Deliverables: "Work that clients review and sign off, in versions",
  "Scope requests": "Client messages that are stored as evidence of scope",
  Events:
    "The events of the last 30 days in commit order, for when you missed webhooks or cannot receive them",
  Token: "The token that the request uses",
  Requests: "The token's recent requests and their errors",
  Legacy: "Endpoints that predate v1",
};

/** The security scheme for an app that gets its token through OAuth, with an owner's or admin's consent. */
const connect = {
  type: "oauth2",
  description:
    "OAuth 2.1 for public clients, with PKCE (S256). After an owner or admin connects an app on the consent " +
    "page, the app gets the `token` above, the `apikey` and, if it requested one, a webhook endpoint. Apps " +
    `don't have to register: an app's \`client_id\` is its https URL. See ${placeholders.origin}/docs/connect`,
  flows: {
    authorizationCode: {
      authorizationUrl: `${placeholders.origin}${authorizePath}`,
      tokenUrl: `${placeholders.origin}${tokenPath}`,
      scopes: Object.fromEntries(
        Object.entries(scopeCatalogue)
          .filter(([, { grantable }]) => grantable)
          .map(([scope, { grants }]) => [scope, grants]),
      ),
    },
  },
} as const;

/** Builds the partner API's OpenAPI 3.1 document from the same declarations that the Worker enforces. */
export const documentOf = (routes: readonly Route[], events: Readonly<Record<string, WebhookEvent>>) =>
  withCodeSamples(withParameterExamples(documentWith(routes, events)));

const documentWith = (routes: readonly Route[], events: Readonly<Record<string, WebhookEvent>>) =>
  createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Countersign partner API",
        version: "1.3.0",
        description: introduction,
        contact: { name: "Partner support", url: `${placeholders.origin}/docs` },
        license: { name: "All rights reserved", identifier: "LicenseRef-All-Rights-Reserved" },
      },
      servers: [{ url: placeholders.origin, description: "The host that serves this API" }],
      tags: tagsOf(routes),
      security: [{ token: [], gatewayKey: [] }],
      paths: pathsOf(routes),
      webhooks: webhooksOf(events),
      components: {
        securitySchemes: {
          token: {
            type: "http",
            scheme: "bearer",
            bearerFormat: "svc_[a-f0-9]{36}",
            description:
              "The workspace's API token. Each operation names the scope that it requires in `x-required-scope`.",
          },
          gatewayKey: {
            type: "apiKey",
            in: "header",
            name: "apikey",
            description: "The gateway's public key, which identifies the service, not the workspace.",
          },
          connect,
        },
        parameters: { IdempotencyKey: idempotencyKey, ...deliveryHeaderComponents },
        headers: headerComponents,
        responses: refusalComponents,
      },
    },
    {
      // Responses may gain fields without notice (contract K3), so their schemas are open.
      override({ jsonSchema, io }) {
        if (io === "output" && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties;
        // Zod adds the bounds of safe integers, which are only noise here.
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      },
    },
  );

/** Copies a schema's example to its parameter, because importers look only there. */
function withParameterExamples<D extends ReturnType<typeof createDocument>>(document: D): D {
  const operations = Object.values(document.paths ?? {}).flatMap(({ get, post }) => [get, post]);
  for (const parameter of operations.flatMap((operation) => operation?.parameters ?? [])) {
    if ("$ref" in parameter || parameter.example !== undefined || !parameter.schema) continue;
    const schema = parameter.schema as { example?: unknown; enum?: readonly unknown[] };
    const example = schema.example ?? schema.enum?.[0];
    if (example === undefined) throw new Error(`the parameter ${parameter.name} has no example`);
    parameter.example = example;
  }
  return document;
}

/** Adds code samples to each operation, and links to its successful responses. */
function withCodeSamples<D extends ReturnType<typeof createDocument>>(document: D): D {
  for (const [path, item] of Object.entries(document.paths ?? {}))
    for (const [method, operation] of Object.entries(item) as [string, Sampled][]) {
      operation["x-codeSamples"] = codeSamplesOf(method, path, operation);
      const leads = links[operation.operationId];
      for (const [status, answer] of Object.entries(operation.responses))
        if (leads && status < "300") answer.links = leads;
    }
  return document;
}

type Sampled = Parameters<typeof codeSamplesOf>[2] & {
  responses: Record<string, { links?: Record<string, Link> }>;
  "x-codeSamples"?: CodeSample[];
};

/** The tags of the routes, in the order of their descriptions. */
function tagsOf(routes: readonly Route[]): { name: string; description: string }[] {
  const used = new Set(routes.map(({ tag }) => tag));
  const undescribed = [...used].filter((tag) => !Object.hasOwn(tagDescriptions, tag));
  if (undescribed.length > 0) throw new Error(`tags without a description: ${undescribed.join(", ")}`);
  return Object.entries(tagDescriptions)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
