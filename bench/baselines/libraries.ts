/** The libraries that the Worker imports, without code that uses them. */
export { default as canonicalize } from "canonicalize";
export { sql } from "drizzle-orm";
export { QueryBuilder, SQLiteSyncDialect, sqliteTable } from "drizzle-orm/sqlite-core";
export { Hono } from "hono";
export { cors } from "hono/cors";
export { jsx } from "hono/jsx/jsx-runtime";
export { default as ipaddr } from "ipaddr.js";
export { SignJWT } from "jose";
export { default as Stripe } from "stripe";
export * as zod from "zod";
