import { refuse } from "../../contract/refusal.ts";
import { read } from "../../http/read.ts";
import { findOwnToken } from "../../workspace/tokens/own-token.ts";
import { Token } from "../../workspace/tokens/record.ts";

const example: Token = {
  id: "5b1c2d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
  name: "Time tracker",
  token_prefix: "svc_0123456789",
  scopes: ["project:read", "time:read", "time:write"],
  organization: {
    id: "e7f8a9b0-c1d2-4e3f-8a4b-5c6d7e8f9a0b",
    slug: "northwind",
    name: "Northwind",
    plan: "studio",
    currency: "EUR",
    features: ["connector_api_ingest"],
  },
  requests_per_minute: 120,
  created_at: "2026-01-12T08:00:00.000Z",
  expires_at: "2027-01-12T08:00:00.000Z",
  allowed_ips: ["203.0.113.7", "2001:db8::/32"],
  last_used_at: "2026-01-31T09:30:00.000Z",
};

export const getToken = read({
  path: "/api-v1/token",
  operationId: "getToken",
  tag: "Token",
  summary: "Get the token, its workspace and its scopes",
  scope: null,
  answer: Token,
  answerDescription: "The token used for the request",
  examples: { answer: example },
  load: ({ tokenHash }) => findOwnToken({ tokenHash }),
  present(found, _, { lastUsedAt }) {
    if (!found) return refuse("invalid_token");
    const { organizationId, organizationName, slug, plan, currency, features, ...token } = found;
    const organization = { id: organizationId, slug, name: organizationName, plan, currency, features };
    return { ...token, organization, last_used_at: lastUsedAt };
  },
});
