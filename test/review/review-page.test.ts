import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { reviewLimits } from "../../src/contract/review-limits.ts";
import { newSecret } from "../../src/platform/secret.ts";
import worker from "../../src/worker.ts";
import { admin, refusal } from "../support/admin.ts";
import { contentTypes, images } from "../support/images.ts";
import { metered } from "../support/metered.ts";
import { baseUrl, post } from "../support/partner.ts";
import { requestLineOf } from "../support/request-line.ts";
import { makeDeliverable, makeProject, makeStudio, readDeliverable } from "../support/review.ts";
import {
  alertOf,
  insertComments,
  mailedKey,
  makeReview,
  Reviewer,
  rowsOfDeliverable,
} from "../support/reviewer.ts";
import type { Workspace } from "../support/workspace.ts";

async function insertBodies({ organizationId }: Workspace, deliverableId: string, bodies: readonly string[]) {
  const insert = env.DB.prepare(
    `INSERT INTO feedback (id, organization_id, deliverable_id, version_number, kind, body, author_name, created_at)
     VALUES (?1, ?2, ?3, 1, 'comment', ?4, 'Nora', strftime('%Y-%m-%dT%H:%M:%fZ', 1769850000 + ?5, 'unixepoch'))`,
  );
  await env.DB.batch(
    bodies.map((body, second) =>
      insert.bind(crypto.randomUUID(), organizationId, deliverableId, body, second),
    ),
  );
}

const unknown = new Reviewer("https://app.example.com/review/QmFzZTY0VXJsVG9rZW5XaXRoMzJDaGFy");

async function followKey(id: string, visitor: Reviewer) {
  const key = await mailedKey(id);
  await visitor.follow(`https://app.example.com${visitor.path}/${key}`);
}

describe("GET /review/{share_token}", () => {
  it("shows the workspace, the title, the version, the note and the conversation [P3]", async () => {
    const { studio, id, visitor } = await makeReview();
    expect(await visitor.read()).not.toContain('aria-label="Versions"');
    await visitor.comment("Could the moon be larger?\nAnd <b>bolder</b>.");
    await post(studio, `/api-v1/deliverables/${id}/versions`, { note: "Larger moon" });
    const page = await visitor.read();
    for (const shown of [
      "Test studio",
      "Homepage concept",
      "Version 2",
      "Larger moon",
      'aria-label="Versions"',
    ])
      expect(page).toContain(shown);
    expect(page).toMatch(/Version 1<\/li>.*<time[^>]*>[^<]+<\/time> · name not confirmed</s);
    expect(page).toContain("Could the moon be larger?\nAnd &lt;b&gt;bolder&lt;/b&gt;.");
    const earlier = await visitor.read("?version=1");
    expect(earlier).toContain(`The newest is <a href="${visitor.path}">version 2</a>: comment there`);
    // Only the newest version has forms, and pages do not link to unknown versions.
    expect(earlier).not.toContain("<form");
    expect([page, earlier].map((text) => text.includes('href="#respond"'))).toEqual([true, false]);
    const links = earlier.matchAll(/<a href="([^"]+)"( aria-current="page")?><span class="no-picture">/g);
    expect([...links].map(([, address, current]) => [address, current !== undefined])).toEqual([
      [`${visitor.path}?version=1`, true],
      [visitor.path, false],
    ]);
  });

  it("shows the sign-off on an earlier version's page too", async () => {
    const { studio, id, visitor } = await makeReview();
    await post(studio, `/api-v1/deliverables/${id}/versions`, {});
    expect(await visitor.read("?version=1")).not.toContain("E-mail me a code");
    await admin(studio, "sign-off-deliverable", { deliverable: id, signer_name: "Nora Wind" });
    expect(await visitor.read("?version=1")).toContain(`href="${visitor.path}/certificate"`);
  });

  it("shows nothing from another review for the same client", async () => {
    const { studio, id: own, visitor } = await makeReview();
    const id = await makeDeliverable(studio, { title: "Another concept" });
    const other = new Reviewer((await readDeliverable(studio, id)).share_url);
    await other.comment("Words about the other one");
    await post(studio, `/api-v1/deliverables/${id}/versions`, { note: "Note of the other one" });
    await admin(studio, "sign-off-deliverable", { deliverable: id, signer_name: "Nora" });
    const before = await visitor.read();
    for (const theirs of ["Another concept", "Words about", "Note of", "Version 2", "accepted"])
      expect(before).not.toContain(theirs);
    await visitor.comment("Words about this one");
    await admin(studio, "sign-off-deliverable", { deliverable: own, signer_name: "Kim" });
    expect(await visitor.read()).toMatch(/Kim<.strong> accepted.*Words about this one/s);
    expect(await other.read()).not.toMatch(/Words about this one|Kim/);
  });

  it("shows the deliverable's project", async () => {
    const studio = await makeStudio();
    for (const name of ["One", "Two"]) {
      const project_id = await makeProject(studio, studio.clientId, { name: `Project ${name}` });
      const { share_url } = await readDeliverable(studio, await makeDeliverable(studio, { project_id }));
      expect(await new Reviewer(share_url).read()).toContain(`<small dir="auto">Project ${name}</small>`);
    }
  });

  it("shows the state of the review", async () => {
    const { studio, id, visitor } = await makeReview();
    const [, badge] = /<span class="badge \w+">([^<]+)</.exec(await visitor.read()) ?? [];
    const made = await makeDeliverable(studio, { project_id: studio.projectId });
    const other = new Reviewer((await readDeliverable(studio, made)).share_url);
    const states: unknown[] = [badge];
    const project = await env.DB.prepare("SELECT name FROM projects WHERE id = ?")
      .bind(studio.projectId)
      .first("name");
    for (const step of [
      () => post(studio, `/api-v1/deliverables/${made}/send`, {}),
      () => other.comment("Larger, please", { kind: "change_request" }),
      () => admin(studio, "sign-off-deliverable", { deliverable: made, signer_name: "Nora" }),
    ]) {
      await step();
      const page = await other.read();
      expect(page).toContain(`<small dir="auto">${project}</small>`);
      states.push(/<span class="badge \w+">([^<]+)</.exec(page)?.[1]);
    }
    expect(states).toEqual(["Not sent yet", "Waiting for you", "Changes requested", "Signed off"]);
    expect(await rowsOfDeliverable("sign_offs", id)).toEqual([]);
  });

  it("sends headers that keep the page private [P18]", async () => {
    const { visitor } = await makeReview();
    const { headers, status } = await visitor.fetch(visitor.path);
    expect(status).toBe(200);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "form-action 'self'; frame-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("permissions-policy")).toBe("camera=(), microphone=(), geolocation=()");
    expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
    expect(headers.get("set-cookie")).toBeNull();
  });

  it.each(["/review/x", "/sign-in", "/settings/x/tokens", "/.well-known/jwks.json"])(
    "serves %s only over HTTPS",
    async (path) => {
      const answer = await exports.default.fetch(`http://api.example.com${path}`);
      expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining("HTTPS only")]);
      expect(answer.headers.get("cache-control")).toBe("private, no-store");
    },
  );

  it("shows the newest 50 comments, oldest first", async () => {
    const { studio, id, visitor } = await makeReview();
    const say = (comments: [id: string, at: string][]) =>
      env.DB.batch(
        comments.map(([name, at]) =>
          env.DB.prepare(
            `INSERT INTO feedback (id, organization_id, deliverable_id, version_number, kind, body, author_name,
              created_at) VALUES (?1 || ?2, ?3, ?2, 1, 'comment', ?1, 'Nora', ?4)`,
          ).bind(name, id, studio.organizationId, at),
        ),
      );
    const said = async () =>
      [...(await visitor.read()).matchAll(/<li id="feedback-(.+?)-?[\da-f]{8}-[\da-f-]{27}"/g)].map(
        ([, name]) => name,
      );
    const noon = "2026-01-31T12:00:00.000Z";
    await say([
      ["c", noon],
      ["a", noon],
      ["d", "2026-01-31T11:00:00.000Z"],
      ["b", noon],
    ]);
    expect(await said()).toEqual(["d", "a", "b", "c"]);
    await say(Array.from({ length: 47 }, (_, index) => [`later ${index}`, "2026-01-31T13:00:00.000Z"]));
    expect((await said()).slice(0, 2)).toEqual(["a", "b"]);
    expect(await said()).toHaveLength(50);
  });

  it("shows each older comment once with ?before= [N9]", async () => {
    const { studio, id, visitor } = await makeReview();
    const bodies = Array.from({ length: 120 }, (_, index) => `Comment ${String(index).padStart(3, "0")}`);
    await insertBodies(studio, id, bodies);
    const found: string[] = [];
    let path: string | undefined = visitor.path;
    for (let pages = 0; path && pages < 5; pages += 1) {
      const page: string = await (await visitor.fetch(path)).text();
      const shown = [...page.matchAll(/Comment \d{3}/g)].map(([body]) => body);
      expect(shown.length).toBeLessThanOrEqual(50);
      found.unshift(...shown);
      expect(page.includes("Back to the newest comments")).toBe(pages > 0);
      path = /href="([^"]*\?before=[^"#]*)#conversation"/.exec(page)?.[1];
    }
    expect(found).toEqual(bodies);
    const unknown = await (await visitor.fetch(`${visitor.path}?before=x`)).text();
    expect(unknown).toContain("Comment 119");
  });

  it("is smaller than 300 KB and reads few rows for any number of comments and notes [N9]", async () => {
    const { studio, id, visitor } = await makeReview();
    await insertBodies(studio, id, Array(2_000).fill('"'.repeat(5_000)));
    await env.DB.batch(
      Array.from({ length: 499 }, () =>
        env.DB.prepare(
          `INSERT INTO deliverable_versions (id, organization_id, deliverable_id, version_number, title, note,
             previous_hash, hash, created_by, created_at)
           SELECT ?1, organization_id, deliverable_id, version_number + 1, ?2, ?3, hash, ?1, created_by, created_at
           FROM deliverable_versions WHERE deliverable_id = ?4 ORDER BY version_number DESC LIMIT 1`,
        ).bind(crypto.randomUUID(), '"'.repeat(200), '"'.repeat(2_000), id),
      ),
    );
    const { answer, read } = await metered(async () => (await visitor.fetch(visitor.path)).text());
    expect(answer).toContain("Show earlier comments");
    expect(Buffer.byteLength(answer)).toBeLessThan(reviewLimits.pageBytes);
    expect(read).toBeLessThan(51 + 500 + 60);
  });

  it("allows a visitor 120 reads per minute [N10]", async () => {
    const { visitor } = await makeReview();
    const open = (bindings: object) =>
      worker.fetch(
        new Request<unknown, IncomingRequestCfProperties>(`${baseUrl}${visitor.path}`, {
          headers: { "cf-connecting-ip": "2001:db8::1" },
        }),
        { ...env, ...bindings },
        createExecutionContext(),
      );
    const limiter = (success: boolean) => ({ limit: vi.fn(async (_: { key: string }) => ({ success })) });
    const token = String(visitor.path.split("/").at(-1));
    const batches = vi.spyOn(env.DB, "batch");
    for (const [one, all] of [
      [limiter(false), limiter(true)],
      [limiter(true), limiter(false)],
    ]) {
      const answer = await open({ REVIEW_READS: one, REVIEW_READS_OF_ALL: all });
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
      expect(await answer.text()).toContain("This page was opened too often");
      expect(one?.limit.mock.calls).toEqual([[{ key: `${token} 2001:db8:0:0::/64` }]]);
    }
    expect(batches).not.toHaveBeenCalled();
    batches.mockRestore();
    const statuses: number[] = [];
    // The counter resets if a new minute begins meanwhile, so the loop may need more than 120 requests.
    while (statuses.length <= 2 * 120 && statuses.at(-1) !== 429) statuses.push((await open({})).status);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.slice(0, 120)).toEqual(Array(120).fill(200));
  });

  describe("when the read limits of the bare link and the visitor's address are reached [N10]", () => {
    const usedUp = {
      REVIEW_READS: {
        limit: vi.fn(async ({ key }: { key: string }) => ({ success: key.includes(" key ") })),
      },
      REVIEW_FORMS: {
        limit: vi.fn(async ({ key }: { key: string }) => ({ success: key.includes(" key ") })),
      },
      REVIEW_READS_OF_ALL: { limit: async () => ({ success: false }) },
      REVIEW_FORMS_OF_ALL: { limit: async () => ({ success: false }) },
    };
    const ask = async (path: string, key: string, body?: URLSearchParams) => {
      const headers = {
        "cf-connecting-ip": "203.0.113.61",
        cookie: `review_key=${key}`,
        ...(body && { origin: "null", "sec-fetch-site": "same-origin" }),
      };
      const url = `${baseUrl}${path}`;
      const asked = new Request<unknown, IncomingRequestCfProperties>(url, {
        redirect: "manual",
        headers,
        ...(body && { method: "POST", body }),
      });
      const execution = createExecutionContext();
      const answer = await worker.fetch(asked, { ...env, ...usedUp }, execution);
      await waitOnExecutionContext(execution);
      return answer.status;
    };

    it("a visitor with a key can still read, with the cookie or the e-mailed link", async () => {
      const { id, visitor } = await makeReview();
      const [key, mailed] = [await mailedKey(id), await mailedKey(id)];
      expect([await ask(visitor.path, key), await ask(visitor.path, key)]).toEqual([200, 200]);
      expect(await ask(`${visitor.path}/${mailed}`, "none")).toBe(303);
      const other = await makeReview();
      expect([await ask(visitor.path, newSecret()), await ask(visitor.path, "none")]).toEqual([429, 429]);
      expect(await ask(visitor.path, await mailedKey(other.id))).toBe(429);
    });

    it("a visitor with a key can still submit forms", async () => {
      const { id, visitor } = await makeReview();
      const key = await mailedKey(id);
      const form = {
        ...(await visitor.form("feedback")),
        kind: "comment",
        author_name: "Nora",
        body: "Mine",
      };
      const send = (by: string) => ask(`${visitor.path}/feedback`, by, new URLSearchParams(form));
      expect([await send(newSecret()), await send(key)]).toEqual([429, 303]);
    });

    it("an isolate looks up 5 unknown keys per second", async () => {
      const { visitor } = await makeReview();
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
      const batch = vi.spyOn(env.DB, "batch");
      for (let turn = 0; turn < 10; turn += 1) expect(await ask(visitor.path, newSecret())).toBe(429);
      vi.useRealTimers();
      expect(batch).toHaveBeenCalledTimes(5);
    });
  });

  it("allows a visitor with a key 120 reads per minute from any address [N10]", async () => {
    const { id, visitor } = await makeReview();
    const cookie = `review_key=${await mailedKey(id)}`;
    const statuses: number[] = [];
    // The counter resets if a new minute begins meanwhile, so the loop may need more than 120 requests.
    while (statuses.length <= 2 * 120 && statuses.at(-1) !== 429) {
      const headers = { cookie, "cf-connecting-ip": `2001:db8:7:${statuses.length}::1` };
      statuses.push((await exports.default.fetch(`${baseUrl}${visitor.path}`, { headers })).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.slice(0, 120)).toEqual(Array(120).fill(200));
    expect((await visitor.fetch(visitor.path)).status).toBe(200);
  });

  it("contains no inline script or style [P18]", async () => {
    const { visitor } = await makeReview();
    const page = await visitor.read();
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="/assets/review.js" defer="">']);
    expect(page).not.toMatch(/<script[^>]*>[^<]|<style|\sstyle=|\son\w+=/i);
  });

  it("changes nothing on a GET [P2]", async () => {
    const { id, visitor } = await makeReview();
    const before = await everything();
    for (const path of [
      "",
      "/certificate",
      "/versions/1/image",
      `/${"k".repeat(43)}`,
      "?version=1",
      "?embed=load",
    ])
      await visitor.fetch(visitor.path + path);
    expect(await everything()).toEqual(before);
    expect(await rowsOfDeliverable("review_keys", id)).toEqual([]);
  });

  it("returns the same 404 on every path for an unknown token [P19]", async () => {
    const { visitor } = await makeReview();
    const pages = await Promise.all(
      [
        unknown.fetch(unknown.path),
        unknown.fetch(`${unknown.path}/certificate`),
        unknown.fetch(`${unknown.path}/versions/1/image`),
        unknown.fetch(`${unknown.path}/${"k".repeat(43)}`),
        unknown.post("feedback", {
          form_id: "0.12345678",
          version_number: "1",
          kind: "comment",
          author_name: "A",
          body: "B",
        }),
        unknown.post("feedback", {}),
        unknown.post("sign-off", {
          form_id: "0.12345678",
          version_number: "1",
          signer_name: "A",
          consent: "on",
        }),
        unknown.post("code", {}),
        unknown.post("verify", { code: "123456" }),
        visitor.fetch(`${visitor.path}?version=9`),
        visitor.fetch(`${visitor.path}/certificate`),
        visitor.fetch(`${visitor.path}/versions/9/image`),
        visitor.fetch("/review/a/b/c/d"),
      ].map(async (answer) => [(await answer).status, (await (await answer).text()).length]),
    );
    expect(new Set(pages.map(String)).size).toBe(1);
    expect(pages[0]?.[0]).toBe(404);
  });

  it("returns 405 for any other method, including HEAD", async () => {
    const { visitor } = await makeReview();
    for (const [method, path, allow] of [
      ["HEAD", visitor.path, "GET"],
      ["DELETE", visitor.path, "GET"],
      ["PUT", "/.well-known/jwks.json", "GET"],
      ["GET", `${visitor.path}/feedback`, null],
    ] as const) {
      const answer = await visitor.fetch(path, { method });
      expect([method, answer.headers.get("cache-control")]).toEqual([method, "private, no-store"]);
      expect(answer.headers.get("x-robots-tag")).toContain("noindex");
      if (allow === null) expect(answer.status).not.toBe(200);
      else expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
    }
  });
});

const everything = async () => {
  const tables = [
    "review_keys",
    "review_codes",
    "review_notices",
    "feedback",
    "sign_offs",
    "events",
    "deliverables",
  ];
  const counts = await env.DB.batch(
    tables.map((table) => env.DB.prepare(`SELECT count(*) AS n FROM ${table}`)),
  );
  return counts.map(({ results }) => results);
};

describe("the work on the page", () => {
  it("is the image of any version, streamed as stored [P4]", async () => {
    const { studio, id, visitor } = await makeReview({ embed_url: undefined, image_base64: images.png });
    await post(studio, `/api-v1/deliverables/${id}/versions`, { image_base64: images.gif });
    const page = await visitor.read();
    expect(page).toContain(`src="${visitor.path}/versions/2/image"`);
    for (const number of ["0x1", "1e0", "1.0", "0"])
      expect((await visitor.fetch(`${visitor.path}/versions/${number}/image`)).status).toBe(404);
    for (const [number, type, base64] of [
      [1, "image/png", images.png],
      [2, "image/gif", images.gif],
    ] as const) {
      const image = await visitor.fetch(`${visitor.path}/versions/${number}/image`);
      expect(image.headers.get("content-type")).toBe(type);
      expect(image.headers.get("x-content-type-options")).toBe("nosniff");
      expect(image.headers.get("cache-control")).toBe("private, no-store");
      expect(image.headers.get("content-disposition")).toBe("inline");
      const bytes = new Uint8Array(await image.arrayBuffer());
      expect(image.headers.get("content-length")).toBe(String(bytes.byteLength));
      expect(Buffer.from(bytes).toString("base64")).toBe(base64.replace(/^data:[^,]*,/, ""));
    }
  });

  it("is never the image of another review for the same client", async () => {
    const studio = await makeStudio();
    const shown = await Promise.all(
      Object.values(images).map(async (image_base64) => {
        const id = await makeDeliverable(studio, { embed_url: undefined, image_base64 });
        const visitor = new Reviewer((await readDeliverable(studio, id)).share_url);
        return (await visitor.fetch(`${visitor.path}/versions/1/image`)).headers.get("content-type");
      }),
    );
    expect(shown).toEqual(Object.values(contentTypes));
  });

  it("is sent as application/octet-stream if the bucket has no content type", async () => {
    const { studio, id, visitor } = await makeReview({ embed_url: undefined, image_base64: images.png });
    const { objects } = await env.IMAGES.list({ prefix: `organizations/${studio.organizationId}/` });
    await env.IMAGES.put(objects[0]?.key ?? id, "<script>");
    const image = await visitor.fetch(`${visitor.path}/versions/1/image`);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "application/octet-stream"]);
  });

  it("is the legacy route's image, even though its version has no asset", async () => {
    const { studio } = await makeReview();
    const made = await post(studio, "/api-create-deliverable", {
      title: "Legacy",
      client_id: studio.clientId,
      image_base64: images.png,
    });
    const { share_url } = await made.json<{ share_url: string }>();
    const visitor = new Reviewer(share_url);
    expect(await visitor.read()).not.toContain("Open the work");
    expect((await visitor.fetch(`${visitor.path}/versions/1/image`)).headers.get("content-type")).toBe(
      "image/png",
    );
  });

  it("is no longer the legacy route's image after a new version", async () => {
    const { studio } = await makeReview();
    const body = { title: "Legacy", client_id: studio.clientId, image_base64: images.png };
    const made = await post(studio, "/api-create-deliverable", body);
    const { id, share_url } = await made.json<{ id: string; share_url: string }>();
    await post(studio, `/api-v1/deliverables/${id}/versions`, { image_base64: images.gif });
    const visitor = new Reviewer(share_url);
    const typeOf = async (number: number) => {
      const answer = await visitor.fetch(`${visitor.path}/versions/${number}/image`);
      return [answer.status, answer.headers.get("content-type")?.split(";")[0]];
    };
    expect([await typeOf(1), await typeOf(2)]).toEqual([
      [404, "text/html"],
      [200, "image/gif"],
    ]);
    expect(await visitor.read("?version=1")).toContain("The image for this version is not stored.");
    const kept = await visitor.read("?version=2");
    expect(kept).toContain(`src="${visitor.path}/versions/2/image"`);
    expect(kept).not.toContain("No image is kept");
  });

  it("is a known provider's frame once the visitor requests it [P4]", async () => {
    const { visitor } = await makeReview({
      embed_url: "https://www.figma.com/design/nrPSsILSYjesyc5UHjYYa4/Home",
    });
    const before = await visitor.read();
    expect(before).not.toContain("<iframe");
    expect(before).toContain(`href="${visitor.path}?version=1&amp;embed=load#work"`);
    const other = await visitor.fetch(`${visitor.path}?embed=1`);
    expect(other.headers.get("content-security-policy")).toContain("frame-src 'none'");
    const after = await visitor.fetch(`${visitor.path}?embed=load`);
    const page = await after.text();
    expect(/<iframe[^>]*>/.exec(page)?.[0]).toBe(
      '<iframe title="Homepage concept, version 1, at Figma" ' +
        'src="https://embed.figma.com/design/nrPSsILSYjesyc5UHjYYa4?embed-host=client-review" ' +
        'sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox" ' +
        'allow="fullscreen" referrerpolicy="no-referrer">',
    );
    expect(after.headers.get("content-security-policy")).toContain("frame-src https://embed.figma.com ");
  });

  it("is only a link if the provider is unknown", async () => {
    const { visitor } = await makeReview({ embed_url: "https://intranet.example.com:8443/a?b=c&d" });
    const page = await visitor.read("?embed=load");
    expect(page).not.toContain("<iframe");
    expect(page).toContain("This work is at <strong>intranet.example.com</strong>:");
    expect(page).toContain(
      'href="https://intranet.example.com:8443/a?b=c&amp;d" target="_blank" rel="noopener noreferrer nofollow"',
    );
  });
});

describe("POST …/feedback", () => {
  it("records a comment with the bare link under an unconfirmed name [P6]", async () => {
    const { studio, id, visitor } = await makeReview();
    const answer = await visitor.comment("Lovely!\r\nReally.");
    const [row] = await rowsOfDeliverable("feedback", id);
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `${visitor.path}?done=comment#done`,
    ]);
    expect(row).toMatchObject({
      kind: "comment",
      body: "Lovely!\nReally.",
      author_name: "Nora Wind",
      attribution: "link_only",
      version_number: 1,
    });
    expect((await readDeliverable(studio, id)).review_state).toBe("draft");
  });

  it("changes the review state and records an event for a change request", async () => {
    const { studio, id, visitor } = await makeReview();
    await visitor.comment("I like it");
    expect(await visitor.read()).not.toContain(">Asked for changes<");
    await visitor.comment("Larger, please", { kind: "change_request" });
    expect(await visitor.read()).toContain(">Asked for changes<");
    expect((await readDeliverable(studio, id)).review_state).toBe("changes_requested");
    const { results } = await env.DB.prepare("SELECT payload FROM events WHERE subject_id = ?")
      .bind(id)
      .all();
    expect(results.map(({ payload }) => JSON.parse(String(payload)).data)).toMatchObject([
      { kind: "comment" },
      {
        kind: "change_request",
        author_name: "Nora Wind",
        version_number: 1,
        review_state: "changes_requested",
      },
    ]);
  });

  it("does the work once for a form that is submitted twice, even concurrently [P9]", async () => {
    const { id, visitor } = await makeReview();
    const form = { ...(await visitor.form("feedback")), kind: "comment", author_name: "Nora", body: "Once" };
    const answers = await Promise.all([1, 2, 3].map(() => visitor.post("feedback", form)));
    answers.push(await visitor.post("feedback", form));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect(await rowsOfDeliverable("feedback", id)).toHaveLength(1);
  });

  it("returns 409 for the same form with different text, and keeps the text in a new form", async () => {
    const { id, visitor } = await makeReview();
    const hidden = await visitor.form("feedback");
    const form = { ...hidden, kind: "comment", author_name: "Nora", body: "First" };
    await visitor.post("feedback", form);
    const answer = await visitor.post("feedback", { ...form, body: "Second <thought>" });
    const page = await answer.text();
    expect([answer.status, alertOf(page)]).toEqual([
      409,
      expect.stringContaining("already sent this form with different text"),
    ]);
    for (const other of [{ author_name: "Somebody else" }, { kind: "change_request" }]) {
      expect((await visitor.post("feedback", { ...form, ...other })).status).toBe(409);
    }
    expect(page).toContain("Second &lt;thought&gt;</textarea>");
    expect(page).not.toContain(`value="${hidden.form_id}"`);
    expect(await rowsOfDeliverable("feedback", id)).toHaveLength(1);
  });

  it.each([
    [{ author_name: " " }, "Your name is missing"],
    [{ body: "" }, "Comment is missing"],
    [{ author_name: "a".repeat(201) }, "Your name must have at most 200 characters"],
    [
      { author_name: "Nora\u202eWind" },
      "Your name must be one line without invisible characters: type it, do not paste it",
    ],
    [{ body: "No\0thing" }, "Comment must have no control characters"],
    [{ body: "ö".repeat(5001) }, "Comment must have at most 5000 characters"],
  ])(
    "returns 400 with the error at the field and keeps the other values: %o [P8, P9]",
    async (fields, reason) => {
      const { id, visitor } = await makeReview();
      const answer = await visitor.comment("Something", fields);
      const page = await answer.text();
      expect(answer.status).toBe(400);
      expect(alertOf(page)).toBe("This was not sent. Check the marked fields below.");
      expect(page).toMatch(new RegExp(`class="error" role="alert">.*?</svg>${reason}</p>`, "s"));
      const focused = [...page.matchAll(/<(?:input|textarea) [^>]*name="(\w+)"[^>]*autofocus/g)];
      expect(focused.map(([, name]) => name)).toEqual([Object.keys(fields)[0]]);
      expect(await rowsOfDeliverable("feedback", id)).toHaveLength(0);
    },
  );

  it("focuses the first invalid field", async () => {
    const { visitor } = await makeReview();
    const page = await (await visitor.comment("", { author_name: "" })).text();
    expect([...page.matchAll(/name="(\w+)"[^>]*autofocus/g)].map(([, name]) => name)).toEqual([
      "author_name",
    ]);
  });

  it("accepts at most 50 comments per day and review from visitors with the bare link [N6]", async () => {
    const { studio, id, visitor } = await makeReview();
    expect((await visitor.comment("First")).status).toBe(303);
    await insertComments(id, { count: 48, age: "-23 hours" });
    await insertComments(id, { count: 60, age: "-25 hours" });
    await insertComments(id, { count: 60, age: "-1 hour", attribution: "mailed_link" });
    expect((await visitor.comment("Fiftieth")).status).toBe(303);
    const refused = await visitor.comment("Fifty-first <moon>");
    const page = await refused.text();
    expect([refused.status, refused.headers.get("retry-after"), alertOf(page)]).toEqual([
      429,
      "86400",
      expect.stringContaining("unconfirmed visitors have posted too many comments today"),
    ]);
    expect(page).toContain("Fifty-first &lt;moon&gt;</textarea>");
    const other = new Reviewer((await readDeliverable(studio, await makeDeliverable(studio))).share_url);
    expect((await other.comment("Elsewhere")).status).toBe(303);
    await followKey(id, visitor);
    expect((await visitor.comment("By the mailed link")).status).toBe(303);
  });

  it("accepts at most 200 comments per day and review from visitors with a key [N6]", async () => {
    const { id, visitor } = await makeReview();
    await insertComments(id, { count: 198, age: "-23 hours", attribution: "mailed_link" });
    await insertComments(id, { count: 60, age: "-25 hours", attribution: "mailed_code" });
    await insertComments(id, { count: 40, age: "-1 hour" });
    await insertComments(id, { count: 60, age: "-1 hour", attribution: "recorded_by_admin" });
    await followKey(id, visitor);
    const statuses = [];
    for (const said of ["199th", "200th"]) statuses.push((await visitor.comment(said)).status);
    const refused = await visitor.comment("201st");
    expect([...statuses, refused.status, refused.headers.get("retry-after")]).toEqual([
      303,
      303,
      429,
      "86400",
    ]);
    expect(alertOf(await refused.text())).toContain("reached its limit of comments for today");
  });

  it("accepts at most 2,000 comments per review [N6]", async () => {
    const { studio, id, visitor } = await makeReview();
    await insertComments(id, { count: 1999, age: "-3 days" });
    const said = { deliverable: id, kind: "comment", body: "Hello", author_name: "Nora" };
    await admin(studio, "record-feedback", said);
    const full = "This was not sent because this review has reached the maximum of 2000 comments.";
    expect((await refusal(studio, "record-feedback", said)).message).toBe(full);
    const refused = await visitor.comment("One more");
    expect([refused.status, alertOf(await refused.text())]).toEqual([422, full]);
    await admin(studio, "sign-off-deliverable", { deliverable: id, signer_name: "Nora" });
  });

  it("returns 409 with the text of a comment after the sign-off", async () => {
    const { studio, id, visitor } = await makeReview();
    const form = { ...(await visitor.form("feedback")), kind: "comment", author_name: "Nora" };
    await admin(studio, "sign-off-deliverable", { deliverable: id, signer_name: "Nora" });
    const answer = await visitor.post("feedback", { ...form, body: "Larger <moon>" });
    const alert = alertOf(await answer.text());
    expect([answer.status, alert]).toEqual([409, expect.stringContaining("has been signed off")]);
    expect(alert).toContain("What you wrote was not sent:");
    expect(alert).toContain("Larger <moon>");
  });

  it.each<Record<string, string>>([
    { kind: "approval" },
    { version_number: "one" },
    { version_number: "0" },
    { version_number: "1.5" },
    { form_id: "<>" },
    { form_id: "0.12345" },
    { form_id: "x".repeat(101) },
  ])("returns 400 for a form with values that the page cannot send: %o", async (fields) => {
    const { id, visitor } = await makeReview();
    const answer = await visitor.comment("Something", fields);
    expect([answer.status, alertOf(await answer.text())]).toEqual([
      400,
      expect.stringContaining(Object.keys(fields)[0] as string),
    ]);
    expect(await rowsOfDeliverable("feedback", id)).toHaveLength(0);
  });

  it.each(["0.123456", "x".repeat(100)])("accepts a form with the id %s", async (form_id) => {
    const { visitor } = await makeReview();
    expect((await visitor.comment("Hello", { form_id })).status).toBe(303);
  });

  it("accepts a comment of the maximum length in any characters", async () => {
    const { id, visitor } = await makeReview();
    const body = "😀".repeat(5000);
    expect((await visitor.comment(body)).status).toBe(303);
    expect((await rowsOfDeliverable("feedback", id))[0]?.body).toBe(body);
  });

  it.each(["feedback", "sign-off", "code", "verify"])(
    "returns 413 for an oversized form: %s",
    async (action) => {
      const { visitor } = await makeReview();
      const answer = await visitor.post(action, { body: "a".repeat(200_000) });
      expect([answer.status, alertOf(await answer.text())]).toEqual([
        413,
        expect.stringContaining("too long"),
      ]);
    },
  );

  it("logs a rejected form with the reason and the workspace", async () => {
    const { studio, visitor } = await makeReview();
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const lines = [await visitor.fetch(visitor.path), await visitor.comment("")].map(({ headers }) =>
      JSON.parse(requestLineOf(log, headers)),
    );
    log.mockRestore();
    expect(lines[0]).toMatchObject({ status: 200, code: null, organization_id: studio.organizationId });
    expect(lines[1]).toMatchObject({
      route: "/review/{token}/feedback",
      status: 400,
      code: "validation",
      organization_id: studio.organizationId,
    });
  });

  it("accepts a form of at most 128 KB", async () => {
    const { visitor } = await makeReview();
    const statusOf = async (bytes: number) =>
      (await visitor.post("feedback", { body: "x".repeat(bytes - "body=".length) })).status;
    expect([await statusOf(128 * 1024), await statusOf(128 * 1024 + 1)]).toEqual([400, 413]);
  });

  it("returns 409 with the newest version's page for a form from an older version [P10]", async () => {
    const { studio, id, visitor } = await makeReview();
    const form = await visitor.form("feedback");
    await post(studio, `/api-v1/deliverables/${id}/versions`, { title: "Second concept" });
    const answer = await visitor.post("feedback", {
      ...form,
      kind: "comment",
      author_name: "Nora",
      body: "Nice",
    });
    const page = await answer.text();
    expect([answer.status, alertOf(page)]).toEqual([409, expect.stringContaining("newer version")]);
    expect(page).toContain("Second concept</h1>");
    expect(page).toContain("Nice</textarea>");
    expect(await rowsOfDeliverable("feedback", id)).toHaveLength(0);
  });

  it("rejects a form that is posted from another site", async () => {
    const { id, visitor } = await makeReview();
    const foreign = [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: "null", "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example" },
    ];
    const form = { ...(await visitor.form("feedback")), kind: "comment", author_name: "Nora", body: "Nice" };
    for (const headers of foreign) {
      const answer = await visitor.fetch(`${visitor.path}/feedback`, {
        method: "POST",
        headers: headers as Record<string, string>,
        body: new URLSearchParams(form),
      });
      expect(answer.status).toBe(403);
    }
    expect(await rowsOfDeliverable("feedback", id)).toHaveLength(0);
  });

  it.each(["application/json", "application/octet-stream", ""])(
    "rejects a request from another site, even as %j",
    async (type) => {
      const { visitor } = await makeReview();
      for (const path of [`${visitor.path}/feedback`, "/sign-out", "/settings/studio/tokens"]) {
        const headers = { "sec-fetch-site": "cross-site", "content-type": type };
        const answer = await visitor.fetch(path, { method: "POST", headers, body: "{}" });
        expect([path, answer.status]).toEqual([path, 403]);
      }
    },
  );

  it("accepts a form from the service's origin, from an older browser and from a program", async () => {
    const { id, visitor } = await makeReview();
    for (const headers of [{ origin: "null" }, { origin: baseUrl }, {}]) {
      const fields = { kind: "comment", author_name: "Nora", body: "Nice" };
      const answer = await visitor.fetch(`${visitor.path}/feedback`, {
        method: "POST",
        headers: headers as Record<string, string>,
        body: new URLSearchParams({ ...(await visitor.form("feedback")), ...fields }),
      });
      expect([headers, answer.status]).toEqual([headers, 303]);
    }
    expect(await rowsOfDeliverable("feedback", id)).toHaveLength(3);
  });

  it.each([
    ["one visitor", "REVIEW_FORMS", " 203.0.113.9"],
    ["all visitors", "REVIEW_FORMS_OF_ALL", ""],
  ])("limits the forms per minute that %s of a review submit [N10]", async (_, limiter, ofVisitor) => {
    const { visitor } = await makeReview();
    const limit = vi.fn(async (_: { key: string }) => ({ success: false }));
    const sent = new Request<unknown, IncomingRequestCfProperties>(`${baseUrl}${visitor.path}/code`, {
      method: "POST",
      headers: { "cf-connecting-ip": "203.0.113.9" },
    });
    const answer = await worker.fetch(sent, { ...env, [limiter]: { limit } }, createExecutionContext());
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(limit.mock.calls).toEqual([[{ key: `${visitor.path.split("/").at(-1)}${ofVisitor}` }]]);
  });

  it("keeps the text of a form that is over the limit", async () => {
    const { id, visitor } = await makeReview();
    const form = { ...(await visitor.form("feedback")), kind: "comment", author_name: "Nora", body: "Mine" };
    const sent = new Request<unknown, IncomingRequestCfProperties>(`${baseUrl}${visitor.path}/feedback`, {
      method: "POST",
      body: new URLSearchParams(form),
    });
    const limit = async () => ({ success: false });
    const answer = await worker.fetch(sent, { ...env, REVIEW_FORMS: { limit } }, createExecutionContext());
    expect([answer.status, await answer.text()]).toEqual([429, expect.stringContaining("Mine</textarea>")]);
    expect(await rowsOfDeliverable("feedback", id)).toEqual([]);
  });

  it("returns 429 for more than 60 forms in a minute", async () => {
    const { visitor } = await makeReview();
    const statuses: number[] = [];
    // The counter resets if a new minute begins meanwhile, so the loop may need more than 60 requests.
    while (statuses.length <= 2 * 60 && statuses.at(-1) !== 429)
      statuses.push((await visitor.post("feedback", {})).status);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(400));
  });
});
