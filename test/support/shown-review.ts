import { env } from "cloudflare:workers";
import { secretHash } from "../../src/platform/secret.ts";
import { idOf, secretOf, shareTokenOf } from "./approved.ts";
import { insert, sql, type Values } from "./filled-workspace.ts";

/** Inserts rows for every state of a review page, with fixed names and times. */

export const link = { embed_url: "https://www.example.com/concept?a=1&b=2" };
export const image = { asset_path: "images/work.png", asset_content_type: "image/png" };

export const own = (table: string, name: string, values: Values) =>
  insert(table, { id: idOf(name), organization_id: idOf("nord"), ...values });

export const moment = (day: number) => `2026-02-${String(day).padStart(2, "0")}T09:30:00.000Z`;

export async function review(name: string, values: Values, ...versions: Values[]): Promise<void> {
  const common = { created_by: idOf("Olga"), created_at: moment(1) };
  const [first = {}] = versions;
  await own("deliverables", name, {
    client_id: idOf("Northwind"),
    title: "Homepage <concept>",
    share_url: `https://app.example.com/review/${shareTokenOf(name)}`,
    ...common,
    ...(first.embed_url !== undefined && { embed_url: first.embed_url }),
    ...(first.asset_path !== undefined && { asset_path: first.asset_path }),
    ...values,
  });
  for (const [index, version] of versions.entries())
    await own("deliverable_versions", `version ${index + 1} of ${name}`, {
      deliverable_id: idOf(name),
      version_number: index + 1,
      title: "Homepage <concept>",
      previous_hash: index === 0 ? null : `hash ${index}`,
      hash: `hash ${index + 1}`,
      ...common,
      created_at: moment(index + 1),
      ...version,
    });
}

export const say = (to: string, kind: string, day: number, values: Values = {}) =>
  own("feedback", `${kind} of ${day} to ${to}`, {
    deliverable_id: idOf(to),
    version_number: 1,
    kind,
    body: "Could the moon be larger?\nAnd <b>bolder</b>.",
    author_name: "Nora <Wind>",
    created_at: moment(day),
    ...values,
  });

export const sent = (name: string, version_number = 1) =>
  own("deliverable_sends", `send of ${name}`, {
    deliverable_id: idOf(name),
    version_number,
    sent_by: idOf("Olga"),
  });

export const signed = (name: string, values: Values) =>
  own("sign_offs", `sign-off of ${name}`, {
    deliverable_id: idOf(name),
    version_number: 1,
    signer_name: "Nora <Wind>",
    created_at: "2026-02-20T10:20:30.456Z",
    ...values,
  });

/** The cookie set by an e-mailed link, which allows its holder to sign off the review. */
export async function keyOf(name: string): Promise<string> {
  await sql(
    `INSERT INTO review_keys (key_hash, organization_id, deliverable_id, email, attribution, expires_at)
      VALUES (?, ?, ?, 'nora@northwind.example', 'mailed_link', '2099-01-31T09:30:00.000Z')`,
    secretHash(secretOf(`key of ${name}`)),
    idOf("nord"),
    idOf(name),
  );
  return `review_key=${secretOf(`key of ${name}`)}`;
}

export const codeOf = (name: string, values: Values = {}) =>
  own("review_codes", `code of ${name}`, {
    deliverable_id: idOf(name),
    email: "nora@northwind.example",
    code_hash: "x",
    created_at: moment(1),
    expires_at: "2099-01-31T09:30:00.000Z",
    ...values,
  });

export async function insertStudio(): Promise<void> {
  await insert("organizations", { id: idOf("nord"), slug: "nord", name: "Studio <Nord>", plan: "agency" });
  await own("members", "Olga", { email: "olga@nord.example", name: "Olga Nord", role: "owner" });
  await own("clients", "Northwind", {
    company_name: "Northwind",
    client_name: "Nora Wind",
    email: "nora@northwind.example",
  });
  await own("clients", "Nobody", { client_name: "Nobody" });
  await own("projects", "Relaunch", {
    client_id: idOf("Northwind"),
    name: "Relaunch & more",
    currency: "USD",
    included_revision_rounds: 100,
  });
  await env.IMAGES.put(image.asset_path, "the bytes of an image", {
    httpMetadata: { contentType: "image/png" },
  });
}
