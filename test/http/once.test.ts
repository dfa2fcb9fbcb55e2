import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { watchMails } from "../support/mails.ts";
import { restoreDatabase } from "../support/outages.ts";
import { post } from "../support/partner.ts";
import { countRows, makeDeliverable, makeStudio } from "../support/review.ts";
import { makeReview, rowsOfDeliverable } from "../support/reviewer.ts";
import { ownerAtHome } from "../support/settings.ts";

/**
 * Every entry point does its work exactly once, even if a request is repeated, concurrent, retried after a crash at any
 * step, or sent with different fields.
 */

beforeEach(() => {
  watchMails();
  vi.spyOn(console, "error").mockImplementation(() => {});
});

interface Repeated {
  press(words?: string): Promise<Response>;
  done(): Promise<number>;
  /** The part of the response that identifies the work. */
  shown(answer: Response): Promise<unknown>;
}

const afterRedirect = async (answer: Response) => answer.headers.get("location");

async function aCreate(): Promise<Repeated> {
  const studio = await makeStudio();
  const before = await countRows("clients", studio);
  return {
    press: (client_name = "Ada") => post(studio, "/api-v1/clients", { client_name }, "key"),
    done: async () => (await countRows("clients", studio)) - before,
    shown: async (answer) => (await answer.json<{ id: string }>()).id,
  };
}

async function aSend(): Promise<Repeated> {
  const studio = await makeStudio();
  const id = await makeDeliverable(studio);
  return {
    press: (message = "Hello") => post(studio, `/api-v1/deliverables/${id}/send`, { message }, "key"),
    done: () => countRows("deliverable_sends", studio),
    shown: async (answer) => (await answer.json<{ sent_at: string }>()).sent_at,
  };
}

async function aSettingsForm(): Promise<Repeated> {
  const { here, browser, base } = await ownerAtHome();
  const form_id = crypto.randomUUID();
  const before = await countRows("api_tokens", here);
  return {
    press: (name = "Zapier") => browser.post(`${base}/tokens`, { form_id, name, scopes: "client:read" }),
    done: async () => (await countRows("api_tokens", here)) - before,
    shown: async (answer) => /<input id="token" value="([^"]+)"/.exec(await answer.text())?.[1],
  };
}

async function aComment(): Promise<Repeated> {
  const { id, visitor } = await makeReview();
  const form = { ...(await visitor.form("feedback")), kind: "comment", author_name: "Nora" };
  return {
    press: (body = "Hello") => visitor.post("feedback", { ...form, body }),
    done: async () => (await rowsOfDeliverable("feedback", id)).length,
    shown: afterRedirect,
  };
}

/** Makes every transaction that writes a ledger entry fail, before or after it commits. */
function crash(lost: "before the commit" | "after the commit") {
  const batch = env.DB.batch.bind(env.DB);
  vi.spyOn(env.DB, "batch").mockImplementation(async (statements: D1PreparedStatement[]) => {
    const isWork = JSON.stringify(statements).includes('INSERT INTO \\"requests\\"');
    if (!isWork) return batch(statements) as never;
    if (lost === "after the commit") await batch(statements);
    throw new Error("D1_ERROR: D1 DB is overloaded. Requests queued for too long.");
  });
}

describe.each([
  ["an API create", aCreate],
  ["an API send", aSend],
  ["a settings form", aSettingsForm],
  ["a review form", aComment],
] as const)("%s", (_, make) => {
  it("returns the same response when repeated, without doing the work again", async () => {
    const { press, done, shown } = await make();
    const first = await shown(await press());
    expect(first).toBeTruthy();
    expect(await shown(await press())).toBe(first);
    expect(await done()).toBe(1);
  });

  it("does the work once for concurrent identical requests, and returns the same result to all", async () => {
    const { press, done, shown } = await make();
    const answers = await Promise.all(Array.from({ length: 5 }, () => press()));
    expect(new Set(await Promise.all(answers.map(shown))).size).toBe(1);
    expect(await done()).toBe(1);
  });

  it("does the work when repeated after a crash before the commit [I8]", async () => {
    const { press, done, shown } = await make();
    crash("before the commit");
    expect((await press()).status).toBe(503);
    restoreDatabase();
    expect(await done()).toBe(0);
    expect(await shown(await press())).toBeTruthy();
    expect(await done()).toBe(1);
  });
});

describe.each([
  ["an API create", aCreate],
  ["a settings form", aSettingsForm],
  ["a review form", aComment],
] as const)("%s", (_, make) => {
  it("returns the committed result when repeated after a crash before the response [I8]", async () => {
    const { press, done, shown } = await make();
    crash("after the commit");
    expect((await press()).status).toBe(503);
    restoreDatabase();
    expect(await done()).toBe(1);
    const answer = await shown(await press());
    expect(answer).toBeTruthy();
    expect(await shown(await press())).toBe(answer);
    expect(await done()).toBe(1);
  });
});

it.each([
  ["an API create", aCreate, 409],
  ["an API send", aSend, 409],
  ["a review form", aComment, 409],
] as const)("%s returns 409 for other fields and has no effect", async (_, make, status) => {
  const { press, done } = await make();
  await press();
  expect((await press("Other words")).status).toBe(status);
  expect(await done()).toBe(1);
});

it("a settings form with other fields counts as another form", async () => {
  const { press, done } = await aSettingsForm();
  await press();
  expect((await press("Another")).status).toBe(200);
  expect(await done()).toBe(2);
});
