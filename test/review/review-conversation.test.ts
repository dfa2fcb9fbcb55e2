import { beforeEach, describe, expect, it } from "vitest";
import { admin } from "../support/admin.ts";
import { images } from "../support/images.ts";
import { addressIn, type SentMail, watchMails } from "../support/mails.ts";
import { post } from "../support/partner.ts";
import { makeReview, type Reviewer, rowsOfDeliverable } from "../support/reviewer.ts";
import { newSession, sessionCookie } from "../support/settings.ts";

let mails: SentMail[];
beforeEach(() => {
  mails = watchMails();
});

const image = { embed_url: undefined, image_base64: images.png };

const heldBy = (page: string, name: string) =>
  new RegExp(`<input[^>]* name="${name}"[^>]* value="([^"]*)"`).exec(page)?.[1];

const statusOf = (page: string) => /<div class="note \w+" role="status">(.*?)<\/div>/s.exec(page)?.[1];

async function afterwards(visitor: Reviewer, answer: Response): Promise<string | undefined> {
  expect(answer.status).toBe(303);
  const [address = ""] = (answer.headers.get("location") ?? "").split("#");
  return statusOf(await (await visitor.fetch(address)).text())?.replaceAll(/<[^>]+>/g, " ");
}

describe("a visitor", () => {
  it("is greeted by name and gets forms with the name filled in, if they have a key [P22]", async () => {
    const { studio, id, visitor } = await makeReview();
    expect(await visitor.read()).not.toContain("Nora");
    await post(studio, `/api-v1/deliverables/${id}/send`, {});
    await visitor.follow(addressIn(mails.at(-1) as SentMail));
    const page = await visitor.read();
    expect(page).toContain("Hello <bdi>Nora Wind</bdi>");
    expect([heldBy(page, "author_name"), heldBy(page, "signer_name")]).toEqual(["Nora Wind", "Nora Wind"]);
  });

  it("enters a name only once per visit [P22]", async () => {
    const { visitor } = await makeReview();
    const answer = await visitor.comment("Lovely", { author_name: "Kim <Lee>" });
    const [cookie = ""] = answer.headers.getSetCookie();
    for (const part of [`Path=${visitor.path}`, "HttpOnly", "Secure", "SameSite=Lax"])
      expect(cookie.split("; ")).toContain(part);
    expect(cookie).not.toMatch(/Max-Age|Expires/);
    const page = await visitor.read();
    expect(heldBy(page, "author_name")).toBe("Kim &lt;Lee&gt;");
    expect(page).not.toContain("Hello <bdi>");
    await visitor.comment("Lovely", { author_name: "🎈".repeat(200) });
    expect(heldBy(await visitor.read(), "author_name")).toBe("🎈".repeat(200));
    visitor.bring("review_name", encodeURIComponent("two\nlines"));
    expect(heldBy(await visitor.read(), "author_name")).toBeUndefined();
  });

  it("is shown the outcome and the next step after each action [P22]", async () => {
    const { visitor } = await makeReview();
    expect(await afterwards(visitor, await visitor.comment("Lovely"))).toMatch(
      /Thanks, Nora\. Test studio has been notified\..*sign off when you are happy/s,
    );
    const asked = await visitor.comment("Larger", { kind: "change_request" });
    expect(await afterwards(visitor, asked)).toMatch(/as soon as there is a new version/);
    const code = await visitor.post("code", await visitor.form("code"));
    expect(await afterwards(visitor, code)).toMatch(/e-mailed you a code/);
    const digits = /^\d{6}/.exec(mails.at(-1)?.subject ?? "")?.[0] ?? "";
    const confirmed = await visitor.post("verify", { ...(await visitor.form("verify")), code: digits });
    expect(await afterwards(visitor, confirmed)).toMatch(/Your address is confirmed/);
    expect(statusOf(await visitor.read("?done=anything"))).toBeUndefined();
  });
});

describe("a comment on a point in the image", () => {
  it("is a numbered pin on its version [P21]", async () => {
    const { studio, id, visitor } = await makeReview(image);
    await visitor.comment("No spot");
    await visitor.comment("Here", { across: "25", down: "7,5" });
    const [, said] = await rowsOfDeliverable("feedback", id);
    expect(said).toMatchObject({ anchor_x: 0.25, anchor_y: 0.075 });
    const page = await visitor.read();
    expect(page).toContain(`<svg x="25%" y="7.5%"`);
    expect(page).toContain(`id="pin-1" href="#feedback-${said?.id}"`);
    expect(page).toContain('<a class="pin-number" href="#pin-1"');
    expect(page).not.toContain("pin-2");
    await post(studio, `/api-v1/deliverables/${id}/versions`, { image_base64: images.jpg });
    expect(await visitor.read()).not.toContain("pin-1");
    expect(await visitor.read("?version=1")).toContain('id="pin-1"');
  });

  it.each([
    [{ across: "101", down: "5" }, "Across (%) must be a number from 0 to 100"],
    [{ across: "5", down: "x" }, "Down (%) must be a number from 0 to 100"],
    [{ across: "5" }, "Down (%) is missing: a spot needs both"],
    [{ anchor_x: "1.5", anchor_y: "0.5" }, "anchor_x must be a number from 0 to 1"],
  ])("is rejected as %j, with the entered values kept [P21]", async (spot, text) => {
    const { id, visitor } = await makeReview(image);
    const answer = await visitor.comment("Here it is", spot as Record<string, string>);
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain(text);
    expect(page).toContain("Here it is</textarea>");
    expect(await rowsOfDeliverable("feedback", id)).toEqual([]);
  });

  it("has no form fields if there is no image", async () => {
    const { visitor } = await makeReview();
    expect(await visitor.read()).not.toContain("Across (%)");
  });
});

describe("?compare", () => {
  it("shows two versions side by side if both have an image [P22]", async () => {
    const { studio, id, visitor } = await makeReview();
    await post(studio, `/api-v1/deliverables/${id}/versions`, { image_base64: images.png });
    expect(await visitor.read()).not.toContain("Compare versions");
    await post(studio, `/api-v1/deliverables/${id}/versions`, { image_base64: images.jpg });
    expect(await visitor.read()).toContain(`href="${visitor.path}?compare=2,3"`);
    const page = await visitor.read("?compare=2,3");
    const shown = [...page.matchAll(/<img src="([^"]+)"/g)].map(([, address]) => address);
    expect(shown).toEqual([2, 3].map((number) => `${visitor.path}/versions/${number}/image`));
    expect(page).not.toContain("<form");
    for (const query of ["2", "1,2", "2,9", "2,3,2", "x,2", ""])
      expect((await visitor.fetch(`${visitor.path}?compare=${query}`)).status).toBe(404);
  });
});

describe("POST …/reply", () => {
  it("replies as the signed-in admin, only once per form [P20]", async () => {
    const { studio, id, visitor } = await makeReview();
    visitor.bring(sessionCookie, await newSession(studio.ownerEmail));
    const form = { ...(await visitor.form("reply")), reply: "It is larger now." };
    for (const _ of [1, 2])
      expect(await afterwards(visitor, await visitor.post("reply", form))).toContain("Your reply was sent.");
    expect(await rowsOfDeliverable("feedback", id)).toMatchObject([{ kind: "reply", body: form.reply }]);
    const empty = await visitor.post("reply", { ...(await visitor.form("reply")), reply: " " });
    expect(empty.status).toBe(400);
    expect(await empty.text()).toContain("Reply is missing");
  });

  it("returns 404 for a client or another workspace's admin [P20]", async () => {
    const { studio: other } = await makeReview();
    const { id, visitor } = await makeReview();
    for (const session of [undefined, await newSession(other.ownerEmail)]) {
      if (session) visitor.bring(sessionCookie, session);
      expect(await visitor.read()).not.toContain("Send reply");
      const answer = await visitor.post("reply", { form_id: crypto.randomUUID(), reply: "I am the studio" });
      expect(answer.status).toBe(403);
    }
    expect(await rowsOfDeliverable("feedback", id)).toEqual([]);
  });
});

it("the review and the certificate show the workspace's color and logo [S19]", async () => {
  const { studio, id, visitor } = await makeReview();
  await admin(studio, "set-brand", { accent: "#aa3300", logo_base64: images.png });
  await admin(studio, "sign-off-deliverable", { deliverable: id, signer_name: "Nora" });
  for (const path of [visitor.path, `${visitor.path}/certificate`]) {
    const page = await (await visitor.fetch(path)).text();
    const addresses = page.match(/"\/brand\/[^"]+"/g)?.map((quoted) => quoted.slice(1, -1)) ?? [];
    // The printed certificate also shows the logo.
    expect([...new Set(addresses)]).toEqual([
      "/brand/aa3300.css",
      expect.stringMatching(/^\/brand\/[\w-]+\/\w{64}\.png$/),
    ]);
    for (const address of addresses) expect((await visitor.fetch(address)).status).toBe(200);
  }
});
