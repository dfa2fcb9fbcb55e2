import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, it, vi } from "vitest";
import { decrypt } from "../../src/platform/encryption.ts";
import { admin } from "../support/admin.ts";
import { ageForms } from "../support/forms.ts";
import { call } from "../support/partner.ts";
import { alertOf } from "../support/reviewer.ts";
import { ownerAtHome, signedIn } from "../support/settings.ts";
import { deliveriesOf, insertDeliveries, recordEvents, register, settled } from "../support/webhooks.ts";
import { makeWorkspace } from "../support/workspace.ts";

/** Submitting a form twice without JavaScript creates one record, and both responses show its secret. */

let { here, browser, base } = {} as Awaited<ReturnType<typeof ownerAtHome>>;
beforeEach(async () => {
  ({ here, browser, base } = await ownerAtHome());
});

/** Returns the form's id from the page for new records. */
const formOn = async (path: string) => {
  const page = await browser.read(path.replace(/\/(?:tokens|webhooks)$/, "$&/new"));
  const [, form_id = ""] = /name="form_id" value="([^"]+)"/.exec(page) ?? [];
  return { form_id };
};
const press = async (path: string, fields: Record<string, string>) => {
  const answer = await browser.post(path, fields);
  const page = await answer.text();
  const [, secret] = /<input id="(?:token|secret)" value="([^"]+)"/.exec(page) ?? [];
  return { status: answer.status, secret, alert: secret === undefined ? alertOf(page) : undefined };
};
const inTurn = async (path: string, fields: Record<string, string>) => [
  await press(path, fields),
  await press(path, fields),
];
const atOnce = (path: string, fields: Record<string, string>) =>
  Promise.all([press(path, fields), press(path, fields)]);
const presses = [
  ["in sequence", inTurn],
  ["at once", atOnce],
] as const;

const sentBefore = {
  status: 400,
  secret: undefined,
  alert: "This form was already sent (open the page again to send another form)",
};
const linesOf = async (action: string) =>
  (await admin<{ action: string }[]>(here, "audit-log")).filter((line) => line.action === action);
const sql = (text: string, ...values: string[]) =>
  env.DB.prepare(text)
    .bind(...values, here.organizationId)
    .run();

interface Making {
  name: string;
  path: string;
  fields: Record<string, string>;
  list: string;
  action: string;
  end: string;
}

describe.each<Making>([
  {
    name: "Create token",
    path: "tokens",
    fields: { name: "Twice", scopes: "client:read" },
    list: "list-api-tokens",
    action: "token.created",
    end: "UPDATE api_tokens SET revoked_at = ? WHERE organization_id = ?",
  },
  {
    name: "Add endpoint",
    path: "webhooks",
    fields: { url: inject("receivers").http, events: "money" },
    list: "list-webhook-endpoints",
    action: "webhook_endpoint.created",
    end: "UPDATE webhook_endpoints SET deleted_at = ? WHERE organization_id = ?",
  },
])("$name", ({ path: name, fields, list, action, end }) => {
  const path = () => `${base}/${name}`;
  const count = async () => (await admin<object[]>(here, list)).length;

  it.each(presses)("creates one record when submitted twice %s [N7]", async (_, twice) => {
    const before = await count();
    const [one, other] = await twice(path(), { ...fields, ...(await formOn(path())) });
    expect(one).toMatchObject({ status: 200, secret: expect.stringMatching(/^(?:svc_|whsec_)/) });
    expect(other).toEqual(one);
    expect([(await count()) - before, (await linesOf(action)).length]).toEqual([1, 1]);
  });

  it("creates another record for another form, for other fields or without a form id", async () => {
    const form = await formOn(path());
    const other: Record<string, string> =
      name === "tokens" ? { name: "Another" } : { description: "Another" };
    const made = [
      await press(path(), { ...fields, ...form }),
      await press(path(), { ...fields, ...form, ...other }),
      await press(path(), { ...fields, ...(await formOn(path())) }),
      ...(await inTurn(path(), fields)),
      ...(await inTurn(path(), { ...fields, form_id: "none of ours" })),
    ];
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(7);
    expect((await linesOf(action)).length).toBe(7);
  });

  it("shows the same secret when submitted again within a minute", async () => {
    const sent = { ...fields, ...(await formOn(path())) };
    const first = await press(path(), sent);
    await ageForms(here, 45);
    expect(await press(path(), sent)).toEqual(first);
  });

  it("shows no secret and creates nothing when submitted again after a minute or a revocation", async () => {
    for (const [isEnded, pass] of [
      [false, () => ageForms(here)],
      [true, () => sql(end, new Date().toISOString())],
    ] as const) {
      const sent = { ...fields, ...(await formOn(path())) };
      await press(path(), sent);
      const before = await count();
      await pass();
      expect(await press(path(), sent)).toEqual(sentBefore);
      expect(await count()).toBe(isEnded && name === "webhooks" ? 0 : before);
    }
  });
});

it("a token that was created by two submits works", async () => {
  const path = `${base}/tokens`;
  const fields = { name: "Twice", scopes: "client:read", ...(await formOn(path)) };
  const [, { secret = "" } = {}] = await inTurn(path, fields);
  expect((await call({ token: secret }, "/api-v1/clients")).status).toBe(200);
});

it("the same form id creates a separate token in another workspace", async () => {
  const form = await formOn(`${base}/tokens`);
  const there = await makeWorkspace();
  const its = await signedIn(there.ownerEmail);
  const fields = { name: "Twice", scopes: "client:read", ...form };
  const { secret } = await press(`${base}/tokens`, fields);
  const page = await (await its.post(`/settings/org-${there.organizationId}/tokens`, fields)).text();
  expect(page).toContain("Token created");
  expect(page).not.toContain(secret);
});

describe("Rotate secret", () => {
  const secretsOf = async (id: string) => {
    const row = await env.DB.prepare(
      "SELECT secret_encrypted, previous_secret_encrypted FROM webhook_endpoints WHERE id = ?",
    )
      .bind(id)
      .first<Record<string, string | null>>();
    return Promise.all(
      Object.values(row ?? {}).map((text) => text && decrypt(env.WEBHOOK_SECRET_KEY, id, text)),
    );
  };

  const endOverlap = (id: string) =>
    env.DB.prepare(
      "UPDATE webhook_endpoints SET previous_secret_expires_at = '2026-01-01T00:00:00.000Z' WHERE id = ?",
    )
      .bind(id)
      .run();

  it.each(presses)("rotates once when submitted twice %s", async (_, twice) => {
    const { id, secret: first } = await register(here);
    const path = `${base}/webhooks/${id}/rotate`;
    const [one, other] = await twice(path, await formOn(path));
    expect(one?.status).toBe(200);
    expect(other).toEqual(one);
    expect(await secretsOf(id)).toEqual([one?.secret, first]);
    expect(await linesOf("webhook_endpoint.secret_rotated")).toHaveLength(1);
  });

  it("shows no secret and does not rotate again when submitted after a minute", async () => {
    const { id } = await register(here);
    const path = `${base}/webhooks/${id}/rotate`;
    const form = await formOn(path);
    await press(path, form);
    const before = await secretsOf(id);
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 61_000);
    expect(await press(path, form)).toEqual(sentBefore);
    expect(await secretsOf(id)).toEqual(before);
  });

  it.each([1, 2])("does not restore its secret after %i later rotations", async (later) => {
    const { id } = await register(here);
    const path = `${base}/webhooks/${id}/rotate`;
    const form = await formOn(path);
    await press(path, form);
    for (let rotation = 0; rotation < later; rotation += 1) {
      await endOverlap(id);
      await press(path, await formOn(path));
    }
    const before = await secretsOf(id);
    const again = await inTurn(path, form);
    expect(again.map(({ secret }) => secret)).toEqual([before[0], before[0]]);
    expect(await secretsOf(id)).toEqual(before);
    expect(await linesOf("webhook_endpoint.secret_rotated")).toHaveLength(1 + later);
  });

  it("rotates two endpoints with the same form id", async () => {
    const form = { form_id: crypto.randomUUID() };
    for (const { id, secret } of [await register(here), await register(here)]) {
      const rotated = await press(`${base}/webhooks/${id}/rotate`, form);
      expect(await secretsOf(id)).toEqual([rotated.secret, secret]);
    }
  });

  it("rotates only once for concurrent submits", async () => {
    const { id } = await register(here);
    const path = `${base}/webhooks/${id}/rotate`;
    const forms = [await formOn(path), await formOn(path), await formOn(path)];
    const rotated = await Promise.all(forms.map((form) => press(path, form)));
    expect(rotated.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await linesOf("webhook_endpoint.secret_rotated")).toHaveLength(1);
  });
});

const locationsOf = (answers: readonly Response[]) =>
  answers.map(({ status, headers }) => [status, headers.get("location")]);

const submitTwice = async (when: string, path: string, fields: Record<string, string>) => {
  const first = browser.post(path, fields);
  if (when === "in sequence") await first;
  return locationsOf(await Promise.all([first, browser.post(path, fields)]));
};

describe("Send test", () => {
  it("sends one test when submitted twice, and another for another form [N7]", async () => {
    const { id } = await register(here);
    const [path, page] = [`${base}/webhooks/${id}/test`, `${base}/webhooks/${id}`];
    const form = { event: "", ...(await formOn(page)) };
    const at = await Promise.all([browser.post(path, form), browser.post(path, form)]);
    const [first, ...others] = locationsOf([...at, await browser.post(path, form)]);
    expect(first).toEqual([303, expect.stringContaining("/deliveries/")]);
    expect(others).toEqual([first, first]);
    expect(await deliveriesOf({ id })).toHaveLength(1);
    expect(await linesOf("webhook_endpoint.tested")).toHaveLength(1);
    expect((await browser.post(path, { event: "", ...(await formOn(page)) })).status).toBe(303);
    expect(await deliveriesOf({ id })).toHaveLength(2);
  });

  it("sends one test when submitted twice from the page that shows the secret [N7]", async () => {
    const fields = { url: `${inject("receivers").http}/status/200`, ...(await formOn(`${base}/webhooks`)) };
    const page = await (await browser.post(`${base}/webhooks`, fields)).text();
    const [, path = "", form_id = ""] =
      /action="([^"]+\/test)"[\s\S]*?name="form_id" value="([^"]+)"/.exec(page) ?? [];
    for (const _ of [1, 2]) expect((await browser.post(path, { form_id })).status).toBe(303);
    expect(await linesOf("webhook_endpoint.tested")).toHaveLength(1);
  });
});

describe("Replay", () => {
  it("replays a delivery once when submitted again after it has arrived, and again from its new page [N7]", async () => {
    const endpoint = await register(here);
    await insertDeliveries(here, endpoint.id, 1, "dead");
    const [delivery] = await deliveriesOf(endpoint);
    const page = `${base}/deliveries/${delivery?.id}`;
    const form = await formOn(page);
    expect(await formOn(page)).toEqual(form);
    const replay = async (fields: { form_id: string }) => {
      const answer = await browser.post(`${page}/replay`, fields);
      await settled(endpoint);
      return locationsOf([answer]);
    };
    expect(await replay(form)).toEqual([[303, page]]);
    expect(await replay(form)).toEqual([[303, page]]);
    expect(await linesOf("webhook_delivery.replayed")).toHaveLength(1);
    expect(await replay(await formOn(page))).toEqual([[303, page]]);
    expect(await linesOf("webhook_delivery.replayed")).toHaveLength(2);
  });

  it("replays deliveries in bulk once when submitted again after they gave up again [N7]", async () => {
    const endpoint = await register(here, "status/410");
    await insertDeliveries(here, endpoint.id, 1, "dead");
    const path = `${base}/deliveries/replay`;
    const form = { endpoint: endpoint.id, ...(await formOn(`${path}?endpoint=${endpoint.id}`)) };
    const first = await browser.post(path, form);
    await settled(endpoint);
    expect(locationsOf([await browser.post(path, form)])).toEqual(locationsOf([first]));
    expect(await linesOf("webhook_deliveries.replayed")).toHaveLength(1);
  });
});

it("delivers earlier events once, and both responses count them [N7]", async () => {
  await recordEvents(here, 2);
  const { id } = await register(here);
  const path = `${base}/webhooks/${id}/backfill`;
  const since = /name="since" value="([^"]+)"/.exec(await browser.read(path))?.[1] ?? "";
  const form = { since, ...(await formOn(path)) };
  const answers = [await browser.post(path, form), await browser.post(path, form)];
  expect(new Set(answers.map(({ headers }) => headers.get("location")))).toEqual(
    new Set([`${base}/deliveries?endpoint=${id}&replayed=2`]),
  );
  expect(await linesOf("webhook_endpoint.backfilled")).toHaveLength(1);
});

describe("what is gone after the first submit", () => {
  it.each(["in sequence", "at once"])(
    "deletes an endpoint once when submitted twice %s [N7]",
    async (when) => {
      const { id } = await register(here);
      const path = `${base}/webhooks/${id}/delete`;
      expect(await submitTwice(when, path, await formOn(path))).toEqual(
        Array(2).fill([303, `${base}/webhooks`]),
      );
      expect(await linesOf("webhook_endpoint.deleted")).toHaveLength(1);
    },
  );

  it.each(["in sequence", "at once"])(
    "cancels an invitation once when submitted twice %s [N7]",
    async (when) => {
      const email = `invited-${here.organizationId}@example.com`;
      await browser.post(`${base}/members`, { email, role: "admin" });
      const listed = await admin<{ id: string; email: string }[]>(here, "list-members");
      const path = `${base}/members/${listed.find((one) => one.email === email)?.id}/remove`;
      const form = { email, ...(await formOn(path)) };
      expect(await submitTwice(when, path, form)).toEqual(Array(2).fill([303, `${base}/members`]));
      expect(await linesOf("member.uninvited")).toHaveLength(1);
    },
  );
});
