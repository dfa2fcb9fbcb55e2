import { env, exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { AuditEntry } from "../../src/core/audit-log/record.ts";
import { brandColors } from "../../src/core/colors.ts";
import { admin, refusal } from "../support/admin.ts";
import { watchMails } from "../support/mails.ts";
import { baseUrl, post } from "../support/partner.ts";
import { alertOf, makeReview } from "../support/reviewer.ts";
import { ownerAtHome } from "../support/settings.ts";
import { minute } from "../support/webhooks.ts";

let { here, browser, base } = {} as Awaited<ReturnType<typeof ownerAtHome>>;
beforeEach(async () => {
  ({ here, browser, base } = await ownerAtHome());
});

interface SetBrand {
  id: string;
  accent: string | null;
  logo_content_type: string | null;
  logo_sha256: string | null;
  link_previews: boolean;
}
const set = (fields: Record<string, string | boolean>) => admin<SetBrand>(here, "set-brand", fields);
const get = (path: string) => exports.default.fetch(baseUrl + path);

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const gif = "R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

describe("set-brand", () => {
  it("keeps omitted fields, and removes fields that are set to none [S19]", async () => {
    expect(await set({ accent: "#C2410C" })).toMatchObject({ accent: "#c2410c", logo_sha256: null });
    const withLogo = await set({ logo_base64: png });
    expect(withLogo).toMatchObject({ accent: "#c2410c", logo_content_type: "image/png" });
    expect(withLogo.logo_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await set({ accent: "none" })).toMatchObject({ accent: null, logo_content_type: "image/png" });
    expect(await set({ link_previews: false })).toMatchObject({ logo_content_type: "image/png" });
    expect(await set({ logo_base64: "none" })).toMatchObject({
      logo_content_type: null,
      logo_sha256: null,
      link_previews: false,
    });
  });

  it.each([
    [{}, "accent, logo_base64 or link_previews is required"],
    [{ accent: "red" }, "accent must be a value like #c2410c, or none"],
    [{ accent: "#c2410" }, "accent must be a value like #c2410c, or none"],
    [
      { logo_base64: "x" },
      "logo_base64 must be base64 of a PNG, JPEG or WebP image of at most 200 KB, or none",
    ],
    [
      { logo_base64: gif },
      "logo_base64 must be base64 of a PNG, JPEG or WebP image of at most 200 KB, or none",
    ],
    [
      { logo_base64: png + "A".repeat(270_000) },
      "logo_base64 must be base64 of a PNG, JPEG or WebP image of at most 200 KB, or none",
    ],
    [{ logo_base64: png.slice(0, 48) }, "logo_base64 is cut off"],
    [{ logo_base64: png.slice(0, 44) }, "logo_base64 has no picture data"],
  ])("rejects %o", async (fields, message) => {
    expect(await refusal(here, "set-brand", fields)).toMatchObject({ message });
  });
});

describe("the brand assets that pages load", () => {
  it("all workspaces share a color's stylesheet, which is cached indefinitely", async () => {
    const answer = await get("/brand/c2410c.css");
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
      200,
      "text/css; charset=utf-8",
      "public, max-age=31536000, immutable",
    ]);
    expect(await answer.text()).toContain("--brand:light-dark(#c2410c,");
    expect((await get("/brand/red.css")).status).toBe(404);
  });

  it("a logo is served under its digest until it is replaced", async () => {
    const { logo_sha256 } = await set({ logo_base64: png });
    const path = `/brand/${here.organizationId}/${logo_sha256}.png`;
    const answer = await get(path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(new Uint8Array(await answer.arrayBuffer()).toBase64()).toBe(png);
    expect((await get(`/brand/${crypto.randomUUID()}/${logo_sha256}.png`)).status).toBe(404);
    await set({ logo_base64: "none" });
    const gone = await get(path);
    expect([gone.status, gone.headers.get("cache-control")]).toEqual([404, "private, no-store"]);
  });
});

it("the settings page saves and shows the color and the logo [S19]", async () => {
  const form = new FormData();
  form.set("accent", "#187a43");
  form.set("logo", new File([Uint8Array.fromBase64(png)], "logo.png"));
  const saved = await browser.post(`${base}/brand`, form);
  expect([saved.status, saved.headers.get("location")]).toEqual([303, `${base}/brand`]);
  const page = await browser.read(`${base}/brand`);
  expect(page).toContain('<link rel="stylesheet" href="/brand/187a43.css"/>');
  expect(page).toMatch(/<img class="mark" src="\/brand\/[0-9a-f-]{36}\/[0-9a-f]{64}\.png"/);
  const refused = await browser.post(`${base}/brand`, { accent: "green" });
  expect([refused.status, alertOf(await refused.text())]).toEqual([
    400,
    "Colour must be a value like #c2410c, or none",
  ]);
  const ticked = async () => /name="link_previews"[^>]* checked=""/.test(await browser.read(`${base}/brand`));
  expect(await ticked()).toBe(false);
  await browser.post(`${base}/brand`, { accent: "", remove_logo: "on", link_previews: "on" });
  expect(await ticked()).toBe(true);
  expect(await browser.read(`${base}/brand`)).not.toMatch(/href="\/brand\/187a43|src="\/brand\//);
});

it("the activity shows only the fields that changed [S19]", async () => {
  await set({ accent: "#187a43", link_previews: true });
  await set({ accent: "#187a43", link_previews: false, logo_base64: "none" });
  const entries = await admin<AuditEntry[]>(here, "audit-log", { action: "brand.set" });
  expect(entries.map(({ details }) => details)).toEqual([{ link_previews: false }, { accent: "#187a43" }]);
});

it("review e-mails use the workspace's color, even in dark mode [S19]", async () => {
  const mails = watchMails();
  const { studio, id, visitor } = await makeReview();
  const sendIt = () => post(studio, `/api-v1/deliverables/${id}/send`, {});
  await sendIt();
  await admin(studio, "set-brand", { accent: "#ffee00" });
  await sendIt();
  await visitor.post("code", {});
  const hidden = await visitor.form("feedback");
  await visitor.post("feedback", { ...hidden, kind: "comment", author_name: "Nora", body: "Hello" });
  await minute();
  const colored = (subject: RegExp) =>
    mails
      .filter((mail) => subject.test(mail.subject))
      .map(({ html }) => [
        html.split(`background:${ground};color:#111110`).length - 1,
        html.includes(darkGround),
      ]);
  const [ground, darkGround] = [
    brandColors("#ffee00", "light").ground,
    `.plain{background:${brandColors("#ffee00", "dark").ground}!important;color:#111110!important}`,
  ];
  // The color of the initial and of a button.
  expect(colored(/ready for your review/)).toEqual([
    [0, false],
    [2, true],
  ]);
  expect(colored(/is your code/)).toEqual([[1, true]]);
  expect(colored(/^New comment on/)).toEqual([[2, true]]);
});

it("invitations and token warnings use the workspace's color [S19]", async () => {
  const mails = watchMails();
  const { ground } = brandColors("#ffee00", "light");
  const coloredIn = (subject: RegExp) =>
    mails
      .filter((mail) => subject.test(mail.subject))
      .map(({ html }) => html.split(`background:${ground};color:#111110`).length - 1);
  await browser.rpc("set_member", { email: `one-${here.organizationId}@example.com`, role: "admin" });
  await set({ accent: "#ffee00" });
  await browser.rpc("set_member", { email: `two-${here.organizationId}@example.com`, role: "admin" });
  // The color of the initial and of the button.
  expect(coloredIn(/^Invitation to/)).toEqual([0, 2]);
  await admin(here, "create-api-token", { name: "Expiring", scopes: ["time:read"], expires_in_days: 30 });
  await env.DB.prepare(
    `UPDATE api_tokens SET expires_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+13 days')
     WHERE organization_id = ? AND name = 'Expiring'`,
  )
    .bind(here.organizationId)
    .run();
  await minute();
  expect(coloredIn(/^The token Expiring expires/)).toEqual([2]);
});
