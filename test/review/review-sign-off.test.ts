import { env } from "cloudflare:workers";
import { compactVerify, createLocalJWKSet } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { consentText } from "../../src/review/sign-offs/consent.ts";
import { admin } from "../support/admin.ts";
import { images } from "../support/images.ts";
import { addressIn, type SentMail, watchMails } from "../support/mails.ts";
import { call, post } from "../support/partner.ts";
import { makeClient, makeDeliverable, makeStudio, readDeliverable, versionsOf } from "../support/review.ts";
import { alertOf, makeReview, Reviewer, rowsOfDeliverable } from "../support/reviewer.ts";
import { signedIn } from "../support/settings.ts";
import { makeWorkspace } from "../support/workspace.ts";

let mails: SentMail[];
beforeEach(() => {
  mails = watchMails();
});

async function mailedReview(fields: object = {}) {
  const made = await makeReview(fields);
  expect((await post(made.studio, `/api-v1/deliverables/${made.id}/send`, {})).status).toBe(200);
  const link = addressIn(mails.at(-1) as SentMail);
  expect((await made.visitor.follow(link)).status).toBe(303);
  return { ...made, link };
}

describe("the e-mailed link", () => {
  it("sets a cookie for the review's path, and redirects to the bare link [P5]", async () => {
    const { visitor, link } = await mailedReview();
    const answer = await new Reviewer(link).follow(link);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, visitor.path]);
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^review_key=[\w-]{43}; /);
    for (const part of [`Path=${visitor.path}`, "HttpOnly", "Secure", "SameSite=Lax", "Max-Age=7776000"])
      expect(cookie.split("; ")).toContain(part);
  });

  it("has a new key for every send, which is valid for 90 days and stored as a digest", async () => {
    const { studio, id, link } = await mailedReview();
    await post(studio, `/api-v1/deliverables/${id}/send`, {});
    const links = mails.map(addressIn);
    expect(new Set(links).size).toBe(2);
    const { share_url } = await readDeliverable(studio, id);
    expect(links.every((each) => each.startsWith(`${share_url}/`))).toBe(true);
    const keys = await rowsOfDeliverable("review_keys", id);
    for (const { created_at, expires_at } of keys) {
      const days = (Date.parse(String(expires_at)) - Date.parse(String(created_at))) / 86_400_000;
      expect(days).toBeCloseTo(90, 3);
    }
    const stored = JSON.stringify(keys);
    for (const each of links) expect(stored).not.toContain(each.slice(share_url.length + 1));
    expect(link).toBe(links[0]);
  });

  it("does not identify the visitor with an unknown key", async () => {
    const { visitor, id } = await makeReview();
    await visitor.fetch(`${visitor.path}/${"k".repeat(43)}`);
    const answer = await visitor.post("sign-off", {
      ...(await visitor.form("feedback")),
      signer_name: "N",
      consent: "on",
    });
    expect([answer.status, alertOf(await answer.text())]).toEqual([
      403,
      expect.stringContaining("confirm your e-mail address"),
    ]);
    expect(await rowsOfDeliverable("sign_offs", id)).toEqual([]);
  });

  it("stops working when it expires or the client's address changes", async () => {
    const { studio, id, visitor, link } = await mailedReview();
    const key = link.split("/").at(-1);
    const other = new Reviewer((await readDeliverable(studio, await makeDeliverable(studio))).share_url);
    await other.fetch(`${other.path}/${key}`);
    expect(await other.read()).toContain("E-mail me a code");
    expect(await visitor.read()).not.toContain("E-mail me a code");
    await env.DB.prepare(
      "UPDATE review_keys SET expires_at = '2020-01-01T00:00:00.000Z' WHERE deliverable_id = ?",
    )
      .bind(id)
      .run();
    expect(await visitor.read()).toContain("E-mail me a code");
    await env.DB.prepare(
      "UPDATE review_keys SET expires_at = '2099-01-01T00:00:00.000Z' WHERE deliverable_id = ?",
    )
      .bind(id)
      .run();
    expect(await visitor.read()).not.toContain("E-mail me a code");
    await admin(studio, "update-client", { id: studio.clientId, email: "NORA@northwind.example" });
    expect(await visitor.read()).not.toContain("E-mail me a code");
    await admin(studio, "update-client", { id: studio.clientId, email: "new@northwind.example" });
    expect(await visitor.read()).toContain("E-mail me a code");
  });

  it("does not replace a visitor's key with an expired or unknown one", async () => {
    const { id, visitor, link } = await mailedReview();
    for (const path of [`${visitor.path}/sign-off`, `${visitor.path}/${"k".repeat(43)}`]) {
      const answer = await visitor.fetch(path);
      expect([answer.status, answer.headers.get("location")]).toEqual([303, visitor.path]);
      expect(await visitor.read()).not.toContain("E-mail me a code");
    }
    await env.DB.prepare("UPDATE review_keys SET expires_at = created_at WHERE deliverable_id = ?")
      .bind(id)
      .run();
    expect((await new Reviewer(link).follow(link)).headers.getSetCookie()).toEqual([]);
    expect(await visitor.read()).toContain("(it works for 90 days)");
  });

  it("attributes the visitor's feedback to the client", async () => {
    const { id, visitor } = await mailedReview();
    await visitor.comment("Lovely");
    expect(await rowsOfDeliverable("feedback", id)).toMatchObject([{ attribution: "mailed_link" }]);
  });
});

describe("POST …/sign-off", () => {
  it("accepts any form id if no changes are requested", async () => {
    const { visitor } = await mailedReview();
    const form = { ...(await visitor.form("sign-off")), signer_name: "Nora", consent: "on" };
    const answer = await visitor.post("sign-off", { ...form, form_id: crypto.randomUUID() });
    expect(answer.status).toBe(303);
  });

  it("stores the version, the signer, the attribution, the consent and the browser [P6, P14]", async () => {
    const { studio, id, visitor } = await mailedReview();
    const answer = await visitor.signOff();
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${visitor.path}#sign-off`]);
    const [version] = await versionsOf(id);
    const deliverable = await readDeliverable(studio, id);
    expect(await rowsOfDeliverable("sign_offs", id)).toMatchObject([
      {
        version_number: 1,
        version_hash: version?.hash,
        workspace: "Test studio",
        signer_name: "Nora Wind",
        attribution: "mailed_link",
        consent:
          "I have seen version 1 of “Homepage concept” and accept it. Test studio keeps my name, the time, my IP " +
          "address and browser as proof.",
        consent_version: 2,
        ip_address: "203.0.113.7",
        user_agent: "Test browser",
        created_at: deliverable.signed_off_at,
      },
    ]);
    expect(deliverable.review_state).toBe("approved");
    const page = await visitor.read();
    expect(page).toContain("Nora Wind</strong> accepted version 1");
    expect(page).not.toContain("<form");
  });

  it("returns 403 to a visitor with the bare link, and offers to confirm the e-mail address [P11]", async () => {
    const { id, visitor } = await makeReview();
    const form = await visitor.form("feedback");
    const answer = await visitor.post("sign-off", { ...form, signer_name: "Nora", consent: "on" });
    const page = await answer.text();
    expect([answer.status, alertOf(page)]).toEqual([
      403,
      expect.stringContaining("confirm your e-mail address"),
    ]);
    expect(page).toContain("E-mail me a code</button>");
    expect(await rowsOfDeliverable("sign_offs", id)).toEqual([]);
  });

  it("stores at most 500 characters of the user agent", async () => {
    const { id, visitor } = await mailedReview();
    const form = { ...(await visitor.form("sign-off")), signer_name: "Nora", consent: "on" };
    await visitor.post("sign-off", form, { "user-agent": "x".repeat(501) });
    expect(await rowsOfDeliverable("sign_offs", id)).toMatchObject([{ user_agent: "x".repeat(500) }]);
  });

  it.each(["clients", "deliverables"])("returns 403 for sample data: %s", async (table) => {
    const { studio, id, visitor } = await mailedReview();
    const form = { ...(await visitor.form("sign-off")), signer_name: "Nora", consent: "on" };
    await env.DB.prepare(`UPDATE ${table} SET is_sample = 1 WHERE id IN (?, ?)`)
      .bind(studio.clientId, id)
      .run();
    expect((await visitor.post("sign-off", form)).status).toBe(403);
    expect(await rowsOfDeliverable("sign_offs", id)).toEqual([]);
  });

  it("returns 403 for a client without an e-mail address [P11]", async () => {
    const { studio, visitor } = await makeReview();
    await env.DB.prepare("UPDATE clients SET email = NULL WHERE id = ?").bind(studio.clientId).run();
    const form = await visitor.form("feedback");
    const answer = await visitor.post("sign-off", { ...form, signer_name: "Nora", consent: "on" });
    expect([answer.status, alertOf(await answer.text())]).toEqual([
      403,
      expect.stringContaining("To sign off here, use one of the client's e-mail addresses"),
    ]);
    expect(await visitor.read()).not.toContain("E-mail me a code");
  });

  it.each([
    [{ consent: "" }, "Tick the box", "Nora Wind", false],
    [{ signer_name: " " }, "Full name is missing", " ", true],
  ])("returns 400 for %o and keeps the other values", async (fields, reason, name, isTicked) => {
    const { id, visitor } = await mailedReview();
    const answer = await visitor.signOff(fields);
    const page = await answer.text();
    expect([answer.status, page]).toEqual([400, expect.stringContaining(reason)]);
    expect(page).toMatch(new RegExp(`<input id="signer_name"[^>]* value="${name}"`));
    const [box = ""] = /<input type="checkbox" name="consent"[^>]*>/.exec(page) ?? [];
    expect(box.includes(" checked")).toBe(isTicked);
    expect(box.includes(' aria-describedby="consent-error"')).toBe(!isTicked);
    expect(box).toContain(" required");
    expect(await rowsOfDeliverable("sign_offs", id)).toEqual([]);
  });

  it("returns 409 with the newest page if the form is for an older version", async () => {
    const { studio, id, visitor } = await mailedReview();
    const form = await visitor.form("sign-off");
    await post(studio, `/api-v1/deliverables/${id}/versions`, { title: "Second concept" });
    const answer = await visitor.post("sign-off", { ...form, signer_name: "Nora", consent: "on" });
    const page = await answer.text();
    expect([answer.status, alertOf(page)]).toEqual([409, expect.stringContaining("newer version")]);
    expect(page).toContain("Second concept</h1>");
    // The form keeps the name but not the consent, which was given for another version.
    expect(page).toMatch(/name="signer_name"[^>]* value="Nora"/);
    expect(page).not.toContain("checked");
    expect(await rowsOfDeliverable("sign_offs", id)).toEqual([]);
    expect((await visitor.signOff()).status).toBe(303);
    const second = (await versionsOf(id)).find(({ version_number }) => version_number === 2);
    expect(await rowsOfDeliverable("sign_offs", id)).toMatchObject([
      { version_number: 2, version_hash: second?.hash },
    ]);
  });

  it("returns 409 if changes were requested after the page was loaded", async () => {
    const { id, visitor } = await mailedReview();
    const form = await visitor.form("sign-off");
    await visitor.comment("Wait", { kind: "change_request" });
    const answer = await visitor.post("sign-off", { ...form, signer_name: "Nora", consent: "on" });
    const page = await answer.text();
    expect([answer.status, alertOf(page)]).toEqual([409, expect.stringContaining("requested changes")]);
    expect(page).not.toContain("checked");
    expect((await visitor.signOff()).status).toBe(303);
    expect(await rowsOfDeliverable("sign_offs", id)).toHaveLength(1);
  });

  it("works even with more change requests than the page shows", async () => {
    const { studio, id, visitor } = await mailedReview();
    const said = env.DB.prepare(
      `INSERT INTO feedback (id, organization_id, deliverable_id, version_number, kind, body, author_name)
        VALUES (?, ?, ?, 1, 'change_request', 'Larger', 'Nora')`,
    );
    await env.DB.batch(
      Array.from({ length: 501 }, () => said.bind(crypto.randomUUID(), studio.organizationId, id)),
    );
    const form = { ...(await visitor.form("sign-off")), signer_name: "Nora", consent: "on" };
    await visitor.comment("And lighter", { kind: "change_request" });
    expect((await visitor.post("sign-off", form)).status).toBe(409);
    expect((await visitor.signOff()).status).toBe(303);
  });

  it("counts only change requests for the form's version", async () => {
    const { studio, id, visitor } = await mailedReview();
    await visitor.comment("Wait", { kind: "change_request" });
    await post(studio, `/api-v1/deliverables/${id}/versions`, { note: "Second" });
    const form = { ...(await visitor.form("sign-off")), signer_name: "Nora", consent: "on" };
    await visitor.comment("Wait again", { kind: "change_request" });
    expect((await visitor.post("sign-off", form)).status).toBe(409);
    await post(studio, `/api-v1/deliverables/${id}/versions`, { note: "Third" });
    expect((await visitor.signOff()).status).toBe(303);
  });

  it("records one sign-off even if two clients have the same address", async () => {
    const { studio, id, visitor } = await mailedReview();
    await makeClient(studio);
    expect((await visitor.signOff()).status).toBe(303);
    expect(await rowsOfDeliverable("sign_offs", id)).toHaveLength(1);
  });

  it("counts only change requests for the same deliverable", async () => {
    const { studio, visitor } = await mailedReview();
    const deliverable = await makeDeliverable(studio);
    const said = { kind: "change_request", body: "Wait", author_name: "Nora" };
    await admin(studio, "record-feedback", { deliverable, ...said });
    expect((await visitor.signOff()).status).toBe(303);
  });

  it("treats a form id without a count of change requests as a count of zero", async () => {
    const { visitor } = await mailedReview();
    await visitor.comment("Wait", { kind: "change_request" });
    expect((await visitor.signOff({ form_id: "of-no-page" })).status).toBe(409);
  });

  it("records one sign-off for a form that is submitted twice, and returns 409 for later forms", async () => {
    const { id, visitor } = await mailedReview();
    const feedback = {
      ...(await visitor.form("feedback")),
      kind: "comment",
      author_name: "Nora",
      body: "Late",
    };
    const form = { ...(await visitor.form("sign-off")), signer_name: "Nora", consent: "on" };
    const other = { ...form, form_id: `0.${crypto.randomUUID()}` };
    const alerts = [];
    const statuses = [];
    for (const [action, fields] of [
      ["sign-off", form],
      ["sign-off", form],
      ["sign-off", { ...form, signer_name: "Somebody else" }],
      ["sign-off", other],
      ["feedback", feedback],
    ] as const) {
      const answer = await visitor.post(action, fields);
      statuses.push(answer.status);
      alerts.push(alertOf(await answer.text()));
    }
    expect(statuses).toEqual([303, 303, 409, 409, 409]);
    const refused = expect.stringContaining("has been signed off");
    const otherWords = expect.stringContaining("with different text");
    expect(alerts).toEqual([undefined, undefined, otherWords, refused, refused]);
    expect(await rowsOfDeliverable("sign_offs", id)).toHaveLength(1);
    expect(await rowsOfDeliverable("feedback", id)).toEqual([]);
  });
});

describe("GET /api-v1/deliverables/{id}/sign-off", () => {
  const read = (studio: Parameters<typeof call>[0], id: string) =>
    call(studio, `/api-v1/deliverables/${id}/sign-off`);

  it("returns 404 while the deliverable is open [V23]", async () => {
    const { studio, id } = await makeReview();
    expect((await read(studio, id)).status).toBe(404);
  });

  it("returns the facts and a proof that verifies with the published keys [V23, P12, P13]", async () => {
    const { studio, id, visitor } = await mailedReview();
    await post(studio, `/api-v1/deliverables/${id}/versions`, { note: "Second" });
    await visitor.signOff();
    const answer = await read(studio, id);
    const { proof, ...facts } = await answer.json<Record<string, unknown>>();
    const [first, second] = await versionsOf(id);
    expect(facts).toEqual({
      deliverable_id: id,
      version_number: 2,
      version_hash: second?.hash,
      signer_name: "Nora Wind",
      attribution: "mailed_link",
      consent: consentText("Homepage concept", 2, "Test studio"),
      consent_version: 2,
      signed_off_at: (await readDeliverable(studio, id)).signed_off_at,
    });
    const keys = await visitor.fetch("/.well-known/jwks.json");
    expect(keys.headers.get("cache-control")).toBe("public, max-age=3600");
    expect(keys.headers.get("access-control-allow-origin")).toBe("*");
    const { payload } = await compactVerify(String(proof), createLocalJWKSet(await keys.json()));
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({
      ...facts,
      workspace: "Test studio",
      title: "Homepage concept",
      asset_sha256: null,
      version_chain: [first, second].map((version) => ({
        version_number: version?.version_number,
        hash: version?.hash,
        created_at: version?.created_at,
      })),
    });
  });

  it("returns the hash of the signed-off deliverable's own version", async () => {
    const studio = await makeStudio();
    const signed = ["One", "Two"].map(async (title) => {
      const id = await makeDeliverable(studio, { title });
      await admin(studio, "sign-off-deliverable", { deliverable: id, signer_name: "Nora" });
      return id;
    });
    for (const id of await Promise.all(signed)) {
      const [version] = await versionsOf(id);
      expect(await (await read(studio, id)).json()).toMatchObject({ version_hash: version?.hash });
      const { share_url } = await readDeliverable(studio, id);
      const certificate = await new Reviewer(share_url).fetch(`${new URL(share_url).pathname}/certificate`);
      expect(await certificate.text()).toContain(version?.hash);
    }
  });

  it("marks a sign-off by an admin as recorded_by_admin", async () => {
    const { studio, id } = await makeReview();
    await admin(studio, "sign-off-deliverable", { deliverable: id, signer_name: "Nora" });
    expect(await (await read(studio, id)).json()).toMatchObject({
      attribution: "recorded_by_admin",
      consent: null,
    });
    expect(await rowsOfDeliverable("review_notices", id)).toEqual([]);
  });

  it("keeps the workspace's name from the time of the sign-off, and omits the IP address and browser", async () => {
    const { studio, id, visitor } = await mailedReview();
    await visitor.signOff();
    const before = await (await read(studio, id)).text();
    await env.DB.prepare("UPDATE organizations SET name = 'Renamed' WHERE id = ?")
      .bind(studio.organizationId)
      .run();
    expect(await (await read(studio, id)).text()).toBe(before);
    const { results } = await env.DB.prepare("SELECT payload FROM events WHERE subject_id = ?")
      .bind(id)
      .all();
    const proof = JSON.parse(before).proof.split(".")[1];
    for (const text of [
      before,
      atob(proof.replaceAll("-", "+").replaceAll("_", "/")),
      JSON.stringify(results),
    ])
      expect(text).not.toMatch(/203\.0\.113\.7|Test browser/);
  });
});

describe("the certificate", () => {
  it("shows every fact, its source and the proof [P15]", async () => {
    const { studio, id, visitor } = await mailedReview();
    await visitor.signOff();
    expect(await visitor.read()).toContain(`href="${visitor.path}/certificate"`);
    const page = await (await visitor.fetch(`${visitor.path}/certificate`)).text();
    const { proof } = await (await call(studio, `/api-v1/deliverables/${id}/sign-off`)).json<{
      proof: string;
    }>();
    const [version] = await versionsOf(id);
    for (const shown of [
      "Nora Wind",
      "203.0.113.7",
      "Test browser",
      String(version?.hash),
      "mailed_link",
      proof,
      "simple electronic signature",
    ])
      expect(page).toContain(shown);
  });
});

const factsOf = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<dt>([^<]+)<\/dt><dd dir="auto">(.*?)<\/dd>/g)].map(([, name, value = ""]) => [
      name,
      value.replaceAll(/<[^>]+>/g, ""),
    ]),
  );

it("the certificate labels each fact and links to the published keys", async () => {
  const { studio, id, visitor } = await mailedReview();
  await visitor.signOff();
  const page = await (await visitor.fetch(`${visitor.path}/certificate`)).text();
  const [version] = await versionsOf(id);
  const { signed_off_at } = await readDeliverable(studio, id);
  expect(factsOf(page)).toEqual({
    Work: "Homepage concept",
    Client: "Nora Wind",
    Signer: "Nora Wind",
    "Identified by": "Opened the link e-mailed to the client",
    Attribution: "mailed_link",
    "Agreed to": consentText("Homepage concept", 1, "Test studio").replaceAll("'", "&#39;"),
    "Time (UTC)": signed_off_at,
    "IP address": "203.0.113.7",
    Browser: "Test browser",
    Deliverable: id,
    "Version 1": expect.stringMatching(new RegExp(`UTC${version?.hash}$`)),
  });
  expect(page).toContain('issued by <strong dir="auto">Test studio</strong>');
  expect(page).toContain(
    '<a href="https://api.example.com/.well-known/jwks.json">https://api.example.com/.well-known/',
  );
});

it("the certificate shows the IP address and browser only to visitors with a key and to admins [P14]", async () => {
  const { studio, visitor } = await mailedReview();
  await visitor.signOff();
  const path = `${visitor.path}/certificate`;
  const seenBy = async (reader: { fetch(path: string): Promise<Response> }) => {
    const facts = factsOf(await (await reader.fetch(path)).text());
    return [facts["IP address"], facts.Browser];
  };
  const hidden = "Shown to the client by the mailed link, and to the workspace";
  const shown = ["203.0.113.7", "Test browser"];
  expect(await seenBy(visitor)).toEqual(shown);
  expect(await seenBy(new Reviewer(`https://app.example.com${visitor.path}`))).toEqual([hidden, hidden]);
  expect(await seenBy(await signedIn(studio.ownerEmail))).toEqual(shown);
  expect(await seenBy(await signedIn((await makeWorkspace()).ownerEmail))).toEqual([hidden, hidden]);
});

it("the certificate of an admin's sign-off shows unknown facts as not known", async () => {
  const { studio, id, visitor } = await makeReview();
  await admin(studio, "sign-off-deliverable", { deliverable: id, signer_name: "Nora" });
  const page = await (await visitor.fetch(`${visitor.path}/certificate`)).text();
  expect(factsOf(page)).toMatchObject({
    "Identified by": "Recorded by the workspace",
    Attribution: "recorded_by_admin",
    "Agreed to": "Recorded by the workspace: no wording was shown to the signer.",
    "IP address": "Not known",
    Browser: "Not known",
  });
});

it.each([
  ["an image", { embed_url: undefined, image_base64: images.png }, true],
  ["an embed", {}, false],
] as const)("the certificate of %s with %o shows the work: %s", async (_, fields, isShown) => {
  const { visitor } = await mailedReview(fields);
  await visitor.signOff();
  const page = await (await visitor.fetch(`${visitor.path}/certificate`)).text();
  expect(page.includes(`<img class="signed-work" src="${visitor.path}/versions/1/image"`)).toBe(isShown);
});

it("the certificate shows an image from the legacy route", async () => {
  const { studio } = await makeReview();
  const body = { title: "Legacy", client_id: studio.clientId, image_base64: images.png };
  const made = await post(studio, "/api-create-deliverable", body);
  const { id, share_url } = await made.json<{ id: string; share_url: string }>();
  await admin(studio, "sign-off-deliverable", { deliverable: id, signer_name: "Nora" });
  const visitor = new Reviewer(share_url);
  expect(await (await visitor.fetch(`${visitor.path}/certificate`)).text()).toContain('class="signed-work"');
});

describe("plain SQL", () => {
  it("cannot change, delete or rehash a sign-off", async () => {
    const { id, visitor } = await mailedReview();
    await visitor.signOff();
    const sql = [
      "UPDATE sign_offs SET signer_name = 'Mallory' WHERE deliverable_id = ?",
      "UPDATE sign_offs SET version_hash = NULL WHERE deliverable_id = ?",
      "DELETE FROM sign_offs WHERE deliverable_id = ?",
    ];
    for (const statement of sql)
      await expect(env.DB.prepare(statement).bind(id).run()).rejects.toThrow(/immutable/);
    const other = await makeReview();
    const forged = `INSERT INTO sign_offs
        (id, organization_id, deliverable_id, version_number, signer_name, version_hash)
        VALUES (?, ?, ?, 1, 'M', 'forged')`;
    await expect(
      env.DB.prepare(forged).bind(crypto.randomUUID(), other.studio.organizationId, other.id).run(),
    ).rejects.toThrow(/immutable/);
  });
});
