import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import worker, { Admin } from "../../src/worker.ts";
import { admin } from "../support/admin.ts";
import { makeFilledWorkspace } from "../support/filled-workspace.ts";
import { logged } from "../support/logged.ts";
import { baseUrl } from "../support/partner.ts";
import { makeDeliverable, makeStudio, type Studio } from "../support/review.ts";
import { makeReview } from "../support/reviewer.ts";
import { signedIn } from "../support/settings.ts";
import { intentSucceeded, signature, stripeIdOf } from "../support/stripe.ts";
import { recordEvents } from "../support/webhooks.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

type Kept = "mail" | "queue" | "count";

function slowBindings() {
  const ended: Kept[] = [];
  const slowly = (kept: Kept, answer: object) => async () => {
    await scheduler.wait(200);
    ended.push(kept);
    return answer;
  };
  const queue = { sendBatch: slowly("queue", {}) };
  return {
    ended,
    bindings: {
      EMAIL: { send: slowly("mail", { messageId: "1" }) },
      WEBHOOK_DELIVERIES: queue,
      WEBHOOK_DELIVERIES_SLOW: queue,
      WEBHOOK_DELIVERIES_FAILING: queue,
      UNKNOWN_SENDERS: { limit: slowly("count", { success: true }) },
    },
  };
}

const post = (path: string, body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request(baseUrl + path, { method: "POST", body, headers });
const form = (path: string, fields: Record<string, string>, headers = {}) =>
  post(path, new URLSearchParams(fields), headers);
const partner = (token: string) => ({ apikey: env.GATEWAY_PUBLIC_KEY, authorization: `Bearer ${token}` });

const subscribe = (workspace: Pick<Workspace, "organizationId">) =>
  admin<{ id: string }>(workspace, "create-webhook-endpoint", { url: "https://93.184.216.34/hooks" });

async function subscribedStudio(): Promise<Studio> {
  const studio = await makeStudio();
  await subscribe(studio);
  return studio;
}

const cookieOf = async ({ ownerEmail }: Workspace) => {
  const { cookies } = await signedIn(ownerEmail);
  return { cookie: `__Host-session=${cookies.get("__Host-session")}` };
};

async function comment(): Promise<Request> {
  const { studio, visitor } = await makeReview();
  await subscribe(studio);
  const hidden = await visitor.form("feedback");
  return form(`${visitor.path}/feedback`, { ...hidden, kind: "comment", author_name: "Nora", body: "Hello" });
}

const asked: [what: string, kept: Kept, request: () => Promise<Request>][] = [
  ["the sign-in e-mail", "mail", async () => form("/sign-in", { email: (await makeWorkspace()).ownerEmail })],
  ["the e-mail about a comment", "mail", comment],
  ["the deliveries of a comment", "queue", comment],
  [
    "the deliveries of an operation over HTTP",
    "queue",
    async () => {
      const studio = await subscribedStudio();
      const headers = { ...(await cookieOf(studio)), "content-type": "application/json" };
      const decision = { project: studio.projectId, title: "Which logo?" };
      return post("/rpc/send_change_decision", JSON.stringify(decision), headers);
    },
  ],
  [
    "the deliveries of a settings form",
    "queue",
    async () => {
      const workspace = await makeWorkspace();
      const { id } = await subscribe(workspace);
      await admin(workspace, "disable-webhook-endpoint", { id });
      await recordEvents(workspace, 1);
      const path = `/settings/org-${workspace.organizationId}/webhooks/${id}/enable`;
      return form(path, {}, await cookieOf(workspace));
    },
  ],
  [
    "the deliveries of a Stripe event",
    "queue",
    async () => {
      const here = await makeFilledWorkspace();
      await subscribe(here);
      const metadata = { invoice_id: await here.openInvoice(10_000) };
      const body = JSON.stringify(intentSucceeded({ intent: stripeIdOf("pi"), amount: 10_000, metadata }));
      const signed = await signature(body, env.STRIPE_WEBHOOK_SECRET);
      return post("/processor/stripe", body, { "stripe-signature": signed });
    },
  ],
  [
    "the deliveries of a partner's write",
    "queue",
    async () => {
      const studio = await subscribedStudio();
      const id = await makeDeliverable(studio);
      const headers = { ...partner(studio.token), "idempotency-key": "key" };
      return post(`/api-v1/deliverables/${id}/send`, null, headers);
    },
  ],
  ...["none", `svc_${crypto.randomUUID().replaceAll("-", "").padEnd(36, "0")}`].map(
    (token): [string, Kept, () => Promise<Request>] => [
      `the count for the token ${token.slice(0, 4)}`,
      "count",
      async () => {
        const headers = { ...partner(token), "cf-connecting-ip": "203.0.113.90" };
        return new Request(`${baseUrl}/api-v1/clients`, { headers });
      },
    ],
  ),
];

async function operate(name: string, fieldsOf: (studio: Studio) => object, bindings: object) {
  const studio = await subscribedStudio();
  await recordEvents(studio, 1);
  const headers = { ...(await cookieOf(studio)), "content-type": "application/json" };
  const request = post(`/rpc/${name}`, JSON.stringify(fieldsOf(studio)), headers);
  const execution = createExecutionContext();
  const answer = await worker.fetch(request as never, { ...env, ...bindings } as never, execution);
  await waitOnExecutionContext(execution);
  return answer.status;
}

it("an operation's deliveries are logged if no queue accepts them", async () => {
  const lines = logged();
  const down = { sendBatch: () => Promise.reject(new Error("E_DOWN")) };
  const bindings = { WEBHOOK_DELIVERIES: down, WEBHOOK_DELIVERIES_SLOW: down };
  const decision = ({ projectId: project }: Studio) => ({ project, title: "Which logo?" });
  expect(await operate("send_change_decision", decision, bindings)).toBe(200);
  expect(lines()).toContainEqual(
    expect.objectContaining({ failed: "enqueue", organization_id: expect.any(String) }),
  );
});

it.each([
  [
    "a refused operation",
    "send_change_decision",
    { project: crypto.randomUUID(), title: "Which logo?" },
    404,
  ],
  ["an operation that changes nothing", "list_members", {}, 200],
])("no deliveries are enqueued after %s", async (_, name, fields, status) => {
  const { ended, bindings } = slowBindings();
  expect(await operate(name, () => fields, bindings)).toBe(status);
  expect(ended).toEqual([]);
});

it("deliveries are enqueued after an operation that changes any row", async () => {
  const { ended, bindings } = slowBindings();
  expect(await operate("create_client", () => ({ company_name: "Acme" }), bindings)).toBe(200);
  expect(ended).toEqual(["queue"]);
});

it("a command's deliveries are completed after the response", async () => {
  const { organizationId: organization, projectId: project } = await subscribedStudio();
  const { ended, bindings } = slowBindings();
  const execution = createExecutionContext();
  const entrypoint = new Admin(execution, { ...env, ...bindings } as never);
  const decision = { organization, project, title: "Which logo?" };
  expect(await entrypoint.run("send-change-decision", decision)).toMatchObject({ ok: true });
  await waitOnExecutionContext(execution);
  expect(ended).toContain("queue");
});

it("a sender without an IP address is not counted", async () => {
  const { ended, bindings } = slowBindings();
  const execution = createExecutionContext();
  const request = new Request(`${baseUrl}/api-v1/clients`, { headers: partner("none") });
  await worker.fetch(request as never, { ...env, ...bindings } as never, execution);
  await waitOnExecutionContext(execution);
  expect(ended).toEqual([]);
});

it.each(asked)("the work continues after the response: %s", async (_, kept, requestOf) => {
  const request = await requestOf();
  const { ended, bindings } = slowBindings();
  const execution = createExecutionContext();
  const answer = await worker.fetch(request as never, { ...env, ...bindings } as never, execution);
  expect(answer.status).toBeLessThan(500);
  await waitOnExecutionContext(execution);
  expect(ended).toContain(kept);
});
