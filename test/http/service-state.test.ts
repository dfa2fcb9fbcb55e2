import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { runOperation } from "../../src/operations/run-operation.ts";
import { serviceStateOf } from "../../src/platform/service-state.ts";
import { servicesOf } from "../../src/services.ts";
import worker from "../../src/worker.ts";
import { callAdmin } from "../support/admin.ts";
import { conforms } from "../support/conformance.ts";
import { baseUrl } from "../support/partner.ts";
import { draftInvoices, register } from "../support/webhooks.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

interface Asked {
  path: string;
  method?: string;
  body?: unknown;
}

async function ask(state: string, { token }: Workspace, { path, method, body }: Asked): Promise<Response> {
  const execution = createExecutionContext();
  const request = new Request<unknown, IncomingRequestCfProperties>(`${baseUrl}${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      apikey: env.GATEWAY_PUBLIC_KEY,
      authorization: `Bearer ${token}`,
      "idempotency-key": crypto.randomUUID(),
      "content-type": "application/json",
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const answer = await worker.fetch(request, { ...env, SERVICE_STATE: state }, execution);
  await waitOnExecutionContext(execution);
  if (path.startsWith("/api-")) await conforms({ method: request.method, path, origin: null }, answer);
  return answer;
}

const newClient = { path: "/api-v1/clients", body: { client_name: "Ada" } };
const doors = {
  read: { path: "/api-v1/clients" },
  write: newClient,
  legacy: { path: "/api-list-clients" },
  page: { path: "/sign-in" },
  form: { path: "/sign-in", method: "POST" },
  operation: { path: "/rpc/create_client", body: {} },
  readingOperation: { path: "/rpc/list_members", body: {} },
  processor: { path: "/processor/stripe", body: {} },
} as const;

const statusesIn = async (state: string) => {
  const workspace = await makeWorkspace();
  const answers = Object.entries(doors).map(
    async ([door, asked]) => [door, (await ask(state, workspace, asked)).status] as const,
  );
  return Object.fromEntries(await Promise.all(answers));
};

describe("while the service is closed", () => {
  it("returns 503 with Retry-After in the format of each entry point [B1]", async () => {
    const workspace = await makeWorkspace();
    const trips = vi.spyOn(env.DB, "batch");
    for (const [door, asked] of Object.entries(doors)) {
      const answer = await ask("closed", workspace, asked);
      expect([door, answer.status, answer.headers.get("retry-after")]).toEqual([door, 503, "60"]);
      const text = await answer.text();
      if (door === "page" || door === "form") expect(text).toContain("<h1>Closed for maintenance</h1>");
      else if (door === "operation" || door === "readingOperation")
        expect(JSON.parse(text)).toEqual({ message: expect.stringContaining("closed"), hint: null });
      else expect(JSON.parse(text)).toEqual({ error: expect.stringContaining("closed for maintenance") });
    }
    expect(trips).not.toHaveBeenCalled();
  });

  it("serves the documents, the public keys and the proof check, because they need no database", async () => {
    const workspace = await makeWorkspace();
    const paths = ["/api-v1/openapi.json", "/.well-known/jwks.json", "/verify"];
    const answers = await Promise.all(paths.map((path) => ask("closed", workspace, { path })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await ask("closed", workspace, { path: "/verify", method: "POST" })).status).toBe(400);
  });

  it("runs operators' operations", async () => {
    expect(await callAdmin("list-organizations")).toMatchObject({ ok: true });
  });
});

it("while the service is read-only, reads succeed and writes return 503 [B1]", async () => {
  expect(await statusesIn("read_only")).toEqual({
    read: 200,
    write: 503,
    legacy: 200,
    page: 200,
    form: 503,
    operation: 503,
    readingOperation: 401,
    processor: 503,
  });
  const workspace = await makeWorkspace();
  const refused = await ask("read_only", workspace, newClient);
  expect([refused.headers.get("retry-after"), refused.headers.get("x-should-retry")]).toEqual(["60", "true"]);
  const wrongMethod = await ask("read_only", workspace, { path: "/api-v1/clients", method: "PUT" });
  expect([wrongMethod.status, wrongMethod.headers.get("allow")]).toEqual([405, "GET, POST"]);
  const { data } = await (await ask("read_only", workspace, doors.read)).json<{ data: object[] }>();
  expect(data).toEqual([]);
});

it("the service is available while open, and an unknown SERVICE_STATE closes it", async () => {
  const open = await statusesIn("open");
  expect(Object.values(open)).not.toContain(503);
  const states = ["open", "read_only", "closed", "read-only", ""].map((SERVICE_STATE) =>
    serviceStateOf({ SERVICE_STATE }),
  );
  expect(states).toEqual(["open", "read_only", "closed", "closed", "closed"]);
});

describe.each(["read_only", "closed"])("while the service is %s", (state) => {
  const bindings = { ...env, SERVICE_STATE: state };

  it.each(["webhook-deliveries", "webhook-deliveries-slow", "send-records", "email-events"])(
    "leaves messages in the queue %s for a later retry",
    async (queue) => {
      const batch = createMessageBatch(queue, [{ id: "1", timestamp: new Date(), attempts: 1, body: {} }]);
      const [retryAll, trips] = [vi.spyOn(batch, "retryAll"), vi.spyOn(env.DB, "batch")];
      await worker.queue(batch, bindings, createExecutionContext());
      expect(retryAll.mock.calls).toEqual([[{ delaySeconds: 900 }]]);
      expect(trips).not.toHaveBeenCalled();
    },
  );

  it("leaves a command's deliveries to the first cron run after reopening [B1]", async () => {
    const workspace = await makeWorkspace();
    await register(workspace);
    const [invoice] = await draftInvoices(workspace, 1);
    const under = { organization: workspace.organizationId, actor: undefined, isOperator: true };
    const call = { ...under, name: "issue-invoice", fields: { id: invoice }, requestId: crypto.randomUUID() };
    const execution = createExecutionContext();
    const services = servicesOf(bindings);
    await runOperation(call, services, (work) => execution.waitUntil(work));
    await waitOnExecutionContext(execution);
    const { results } = await env.DB.prepare(
      "SELECT next_attempt_at <= created_at AS due FROM webhook_deliveries WHERE organization_id = ?",
    )
      .bind(workspace.organizationId)
      .all();
    expect(results).toEqual([{ due: 1 }]);
  });

  it("skips the cron and logs it", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const trips = vi.spyOn(env.DB, "batch");
    await worker.scheduled({} as ScheduledController, bindings);
    expect(log.mock.calls).toEqual([[JSON.stringify({ cron: "waits", service_state: state })]]);
    expect(trips).not.toHaveBeenCalled();
  });
});
