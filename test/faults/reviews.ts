/**
 * Part of `npm run test:faults`: clients comment, request changes and sign off while the service is killed with SIGKILL
 * and restarted on the same state. A client resubmits a form until it gets a response. In the end, every form must be
 * stored once, every proof must verify, and there must be no more e-mails than the notices and kills account for.
 */

import { setTimeout as pause } from "node:timers/promises";
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from "jose";
import { localGatewayKey } from "../../scripts/local/gateway-key.ts";
import { newSecret, secretHash } from "../../src/platform/secret.ts";
import { migrateDatabase } from "./migrate.ts";
import { between, startTemporaryService } from "./service.ts";
import { prepareWorkspace } from "./workspace.ts";

const kills = Number(process.env.KILLS ?? 25);
const reviews = 120;
const clients = 6;
/** How long the service runs under load before each kill. */
const lifeMs = { least: 100, most: 1_000 };
/** The share of acknowledged forms that are submitted again. */
const againShare = 0.3;
/** For each review: a comment, a change request and a sign-off. */
const formsOfReview = 3;
/** The owner is notified of all three, and the client of the sign-off. */
const noticesOfReview = 4;

let mails = 0;
await using service = await startTemporaryService({
  onPrinted: (printed) => {
    mails += printed.match(/send_email binding called/g)?.length ?? 0;
  },
});
let requests = 0;
let interrupted = 0;

process.exitCode = (await run()) ? 0 : 1;

async function run(): Promise<boolean> {
  await migrateDatabase(service);
  const stock = await prepareWorkspace(service, { drafts: 0, deliverables: reviews });
  const queue = await Promise.all(stock.deliverables.map(mailKey));
  const working = Promise.all(Array.from({ length: clients }, () => reviewAll(queue)));
  let killed = 0;
  while (killed < kills && queue.length > 0) {
    await pause(between(lifeMs));
    await service.kill();
    await service.restart();
    killed += 1;
    console.log(`kill ${killed} of ${kills}: ${queue.length} of ${reviews} reviews wait`);
  }
  await working;
  await sendOverdueNotices(stock.organizationId);
  return report(stock.organizationId, stock.deliverables, killed);
}

/** Stores a personal link's key like a send does, but without the e-mail. Returns the link's path. */
async function mailKey(id: string): Promise<string> {
  const key = newSecret();
  const [made] = await service.sql<{ share_url: string }>(
    `INSERT INTO review_keys (key_hash, organization_id, deliverable_id, email, attribution, expires_at)
     SELECT ?2, organization_id, id, (SELECT email FROM clients
       WHERE id = client_id), 'mailed_link', '2999-01-01T00:00:00.000Z'
     FROM deliverables WHERE id = ?1
     RETURNING (SELECT share_url FROM deliverables WHERE id = ?1) AS share_url`,
    id,
    secretHash(key),
  );
  return `${new URL(made?.share_url ?? "").pathname.slice(1)}/${key}`;
}

async function reviewAll(queue: string[]): Promise<void> {
  for (let link = queue.shift(); link !== undefined; link = queue.shift()) {
    const cookie = await follow(link);
    const path = link.slice(0, link.lastIndexOf("/"));
    const said = { version_number: "1", author_name: "Nora", body: "Larger, please" };
    await submit(path, cookie, "feedback", { ...said, kind: "comment" });
    await submit(path, cookie, "feedback", { ...said, kind: "change_request" });
    await submit(path, cookie, "sign-off", { version_number: "1", signer_name: "Nora Wind", consent: "on" });
  }
}

async function ask(
  path: string,
  init: RequestInit,
): Promise<{ status: number; headers: Headers; text: string }> {
  for (;;) {
    requests += 1;
    try {
      const response = await fetch(service.baseUrl + path, { redirect: "manual", ...init });
      const text = await response.text();
      if (response.status < 500) return { status: response.status, headers: response.headers, text };
    } catch {
      // The service was killed during this request.
    }
    interrupted += 1;
    await pause(100);
  }
}

async function follow(link: string): Promise<string> {
  const { headers } = await ask(link, {});
  return headers
    .getSetCookie()
    .map((cookie) => cookie.slice(0, cookie.indexOf(";")))
    .join("; ");
}

/** Submits the page's form until it gets a response, and sometimes once more. */
async function submit(
  path: string,
  cookie: string,
  form: string,
  fields: Record<string, string>,
): Promise<void> {
  const { text } = await ask(path, { headers: { cookie } });
  const ids = [...text.matchAll(/name="form_id" value="([^"]+)"/g)];
  const form_id = ids[form === "feedback" ? 0 : ids.length - 1]?.[1] ?? "";
  const send = async () => {
    const { status } = await ask(`${path}/${form}`, {
      method: "POST",
      headers: { cookie, "sec-fetch-site": "same-origin", origin: new URL(service.baseUrl).origin },
      body: new URLSearchParams({ ...fields, form_id }),
    });
    if (status !== 303) throw new Error(`${form} was answered ${status}`);
  };
  await send();
  if (Math.random() < againShare) await send();
}

/** Runs the cron until every notice is sent. Ends the leases of notices that were being sent during a kill. */
async function sendOverdueNotices(organizationId: string): Promise<void> {
  const open = "SELECT count(*) AS count FROM review_notices WHERE organization_id = ? AND sent_at IS NULL";
  for (let minute = 0; minute < 20 && (await countOf(open, organizationId)) > 0; minute += 1) {
    await service.sql(
      "UPDATE review_notices SET leased_until = NULL WHERE organization_id = ? AND sent_at IS NULL",
      organizationId,
    );
    await service.minute();
  }
  // An e-mail is logged only after it is sent.
  await pause(1_000);
}

async function countOf(sql: string, organizationId: string): Promise<number> {
  return (await service.sql<{ count: number }>(sql, organizationId))[0]?.count ?? Number.NaN;
}

/** The number of sign-offs whose proof verifies with the published keys. */
async function verifiedProofs(organization: string, deliverables: readonly string[]): Promise<number> {
  const fields = { organization, name: "proofs", scopes: "deliverable:read" };
  const { token } = await service.admin<{ token: string }>("create-api-token", fields);
  const keys = JSON.parse((await ask(".well-known/jwks.json", {})).text) as JSONWebKeySet;
  const headers = { apikey: localGatewayKey(), authorization: `Bearer ${token}` };
  let verified = 0;
  for (const id of deliverables) {
    const { proof } = JSON.parse((await ask(`api-v1/deliverables/${id}/sign-off`, { headers })).text);
    const { payload } = await compactVerify(proof, createLocalJWKSet(keys));
    if (JSON.parse(new TextDecoder().decode(payload)).deliverable_id === id) verified += 1;
  }
  return verified;
}

async function report(
  organizationId: string,
  deliverables: readonly string[],
  killed: number,
): Promise<boolean> {
  const of = (table: string) => `SELECT count(*) AS count FROM ${table} WHERE organization_id = ?`;
  const found = {
    forms: (await countOf(of("feedback"), organizationId)) + (await countOf(of("sign_offs"), organizationId)),
    "proofs that verify": await verifiedProofs(organizationId, deliverables),
    "notices sent": await countOf(`${of("review_notices")} AND sent_at IS NOT NULL`, organizationId),
  };
  console.table({ SIGKILLs: killed, requests, interrupted, ...found, mails });
  const wanted = [reviews * formsOfReview, reviews, reviews * noticesOfReview];
  // A kill can happen between sending an e-mail and recording it, so each concurrent client may cause one extra e-mail
  // per kill. A kill may also lose an e-mail's log line and lower the count; the notices' `sent_at` shows that all
  // were sent.
  const maxMails = reviews * noticesOfReview + killed * clients;
  const mailsHold = mails > 0 && mails <= maxMails;
  const holds = mailsHold && Object.values(found).every((number, index) => number === wanted[index]);
  console.log(
    holds
      ? "Every form is there once, every proof verifies, every notice was sent."
      : `Wanted ${wanted.join(", ")}, and at most ${maxMails} mails.`,
  );
  return holds;
}
