import { env } from "cloudflare:workers";
import { type FilledWorkspace, makeFilledWorkspace, type Run, sql, update } from "./filled-workspace.ts";
import { register } from "./webhooks.ts";

/** The id of the processor event with the workspace's unmatched payment. */
export const unmatchedEventOf = (organizationId: string): string => `evt_${organizationId}`;

/** Creates a workspace with a row in every table, and a record with which each operation would succeed. */
export async function makeWholeWorkspace(options: { plan?: string } = {}): Promise<FilledWorkspace> {
  const later: D1PreparedStatement[] = [];
  let isMade = false;
  const run: Run = async (text, ...params) =>
    isMade ? sql(text, ...params) : void later.push(env.DB.prepare(text).bind(...params));
  const now = () => env.DB.batch(later.splice(0));
  const here = await makeFilledWorkspace(options, run);
  const { own, ownerId, projectId, clientId, organizationId } = here;
  await update("organizations", organizationId, { features: '["connector_api_ingest"]' }, run);
  await own("members", { email: `member@${organizationId}.example`, role: "member" });
  await own("invitations", {
    email: `invited@${organizationId}.example`,
    role: "admin",
    token_hash: crypto.randomUUID(),
    created_by: ownerId,
    expires_at: "2099-01-31T09:30:00.000Z",
  });
  await own("api_tokens", {
    name: "Timer",
    token_hash: crypto.randomUUID(),
    token_prefix: "svc_0123456789",
    scopes: "[]",
    created_by: ownerId,
  });
  await run(
    "INSERT INTO member_mails (organization_id, email, message_id) VALUES (?, 'owner@example.com', ?)",
    organizationId,
    crypto.randomUUID(),
  );
  await own("brands", { accent: "#c2410c", logo: "AA==", logo_content_type: "image/png", logo_sha256: "x" });
  await own("allowed_origins", { origin: "https://review.example.com", created_by: ownerId });
  await run(
    "INSERT INTO stored_images (path, organization_id, bytes) VALUES (?, ?, 100)",
    `organizations/${organizationId}/logo.png`,
    organizationId,
  );
  await run(
    `INSERT INTO requests (organization_id, key, fingerprint, request_id, actor, action, subject_id, answer)
     VALUES (?, 'key:1', 'x', 'x', ?, 'client.created', ?, '{}')`,
    organizationId,
    ownerId,
    clientId,
  );
  await own("audit_log", { actor: "owner@example.com", action: "token.created" });
  await now();
  const enabled = await register(here, "status/200", { events: "invoice.sent" });
  await here.endpoint(["deposit.cleared"], { enabled: 0, disabled_reason: "admin" });
  await own("connections", {
    app: "https://timer.example/app",
    redirect_uri: "https://timer.example/back",
    scopes: '["invoice:read"]',
    webhook_url: "https://timer.example/hooks",
    webhook_events: '["money"]',
    code_hash: crypto.randomUUID(),
    code_challenge: "x",
    created_by: ownerId,
    connected_at: "2026-01-31T09:30:00.000Z",
    endpoint_id: enabled.id,
  });

  await own("milestones", { project_id: projectId, name: "Start", position: 0 });
  await own("revision_overrides", { project_id: projectId, rounds: 1, reason: "x", created_by: ownerId });
  await here.timeEntry();
  await here.draft(100);
  await here.pay(await here.openInvoice(100), 40);
  await here.reversePayment(await here.openInvoice(100), 10);
  await own("processor_events", {
    // Sorts before the next one if both were created in the same millisecond.
    id: `0${crypto.randomUUID().slice(1)}`,
    type: "customer.created",
    kind: "other",
    outcome: "ignored",
    occurred_at: "2026-01-31T09:30:00.000Z",
  });
  await own("processor_events", {
    id: unmatchedEventOf(organizationId),
    type: "payment_intent.succeeded",
    kind: "payment",
    outcome: "unmatched",
    unmatched_reason: "currency_differs",
    processor_payment_id: `pi_${crypto.randomUUID()}`,
    amount_minor: 100,
    currency: "EUR",
    occurred_at: "2026-01-31T09:30:00.000Z",
  });
  await own("scope_request_evidence", {
    client_id: clientId,
    content: "One more page",
    external_id: "mail 1",
    created_by: ownerId,
    content_fingerprint: "x",
  });

  await here.deliverable();
  const signedOff = await here.deliverable();
  await here.send(signedOff);
  await here.feedback(signedOff);
  await here.signOff(signedOff);
  const mailed = { deliverable_id: signedOff, email: "contact@acme.example" };
  const mailedKey = { ...mailed, attribution: "mailed_link", expires_at: "2099-01-31T09:30:00.000Z" };
  await run(
    `INSERT INTO review_keys (key_hash, organization_id, deliverable_id, email, attribution, expires_at)
      VALUES (?, ?, ?, ?, ?, ?)`,
    crypto.randomUUID(),
    organizationId,
    ...Object.values(mailedKey),
  );
  await own("review_codes", { ...mailed, code_hash: "x", expires_at: "2099-01-31T09:30:00.000Z" });
  await run(
    `INSERT INTO review_openings (organization_id, deliverable_id, day, version_number, visitor)
      VALUES (?, ?, '2026-01-31', 1, 'Nora')`,
    organizationId,
    signedOff,
  );
  await own("review_notices", { deliverable_id: signedOff, recipient: "owner" });
  for (const status of ["draft", "sent"]) await here.changeOrder({ status });
  await here.changeDecision({ status: "sent" });
  await here.deposit();

  await now();
  const [delivery] = await here.deliveries(enabled.id);
  const settled = { attempts: 1, next_attempt_at: null, settled_at: new Date().toISOString() };
  await update("webhook_deliveries", String(delivery?.id), { status: "dead", ...settled }, run);
  await run(
    `INSERT INTO webhook_attempts (organization_id, delivery_id, attempt_number, attempted_at, latency_ms)
     VALUES (?, ?, 1, '2026-01-31T09:30:00.000Z', 5)`,
    organizationId,
    delivery?.id,
  );
  await now();
  isMade = true;
  return here;
}

type Row = Record<string, unknown>;

/** Every row of an organization, by table, oldest first. Other organizations must not see or change these rows. */
export async function everyRowOf(
  { organizationId }: Pick<FilledWorkspace, "organizationId">,
  database = env.DB,
) {
  const tables = await sql<{ name: string; place: string }>(
    `SELECT name, iif(sql GLOB '*WITHOUT ROWID*', 'organization_id', 'rowid') AS place FROM sqlite_master
     WHERE type = 'table' AND sql GLOB '*organization_id TEXT*' ORDER BY name`,
  );
  const results = await database.batch<Row>([
    database.prepare("SELECT * FROM organizations WHERE id = ?").bind(organizationId),
    ...tables.map(({ name, place }) =>
      database
        .prepare(`SELECT * FROM ${name} WHERE organization_id = ? ORDER BY ${place}`)
        .bind(organizationId),
    ),
  ]);
  const names = ["organizations", ...tables.map(({ name }) => name)];
  return new Map(names.map((name, index) => [name, results[index]?.results ?? []]));
}

/** The ids of a workspace's rows, including its own: one per table and status, in that order. */
export function idsIn(rows: Map<string, Row[]>): string[] {
  const kinds = new Map<string, string>();
  for (const [table, ofTable] of rows) {
    for (const { id, status, enabled, current_state } of ofTable) {
      const kind = JSON.stringify([table, status, enabled, current_state]);
      if (typeof id === "string" && !kinds.has(kind)) kinds.set(kind, id);
    }
  }
  return [...kinds].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, id]) => id);
}
