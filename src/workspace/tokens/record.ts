import * as z from "zod";
import { currency, id, timestamp } from "../../contract/fields.ts";

const allowed_ips = z.array(z.string()).nullable().meta({
  description:
    "The IP addresses and CIDR ranges that the token can be used from; null if it can be used from anywhere",
});

/** A token's description of itself: its organization and permissions (contract A14). */
export const Token = z
  .object({
    id,
    name: z.string(),
    token_prefix: z.string().meta({ description: "The token's first 14 characters, which are safe to show" }),
    scopes: z.array(z.string()),
    organization: z.object({
      id,
      slug: z.string(),
      name: z.string(),
      plan: z.string(),
      currency,
      features: z.array(z.string()),
    }),
    requests_per_minute: z.int().meta({ description: "The workspace's limit, which all its tokens share" }),
    created_at: timestamp,
    expires_at: timestamp
      .nullable()
      .meta({ description: "When the token expires; null if it does not expire" }),
    allowed_ips,
    last_used_at: timestamp.nullable().meta({
      description:
        "When the token was last used before this request, to the minute; null if this is its first request",
    }),
  })
  .meta({ id: "Token" });
export type Token = z.output<typeof Token>;

export const ApiToken = z.object({
  id,
  name: z.string(),
  token_prefix: z.string().meta({ description: "The token's first 14 characters, which are safe to show" }),
  scopes: z.array(z.string()),
  created_by: id,
  created_at: timestamp,
  revoked_at: timestamp.nullable(),
  expires_at: timestamp
    .nullable()
    .meta({ description: "When the token expires; null if it does not expire" }),
  allowed_ips,
});

export type ApiToken = z.output<typeof ApiToken>;

export const ListedToken = ApiToken.extend({
  creator: z.string().meta({ description: "The name or e-mail address of the member who created the token" }),
  last_used_at: timestamp
    .nullable()
    .meta({ description: "When the token was last used, to the minute; null if it was never used" }),
  connected_app: z
    .string()
    .nullable()
    .meta({ description: "The connected app's URL; null if an admin created the token" }),
  webhook_endpoint_id: id
    .nullable()
    .meta({ description: "The webhook endpoint that the app got with the token" }),
});

export type ListedToken = z.output<typeof ListedToken>;

/** The only response that contains the plaintext. */
export const CreatedToken = ApiToken.omit({ revoked_at: true }).extend({ token: z.string() });

export type CreatedToken = z.output<typeof CreatedToken>;
