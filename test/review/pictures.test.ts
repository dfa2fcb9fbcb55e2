import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { imageFormats } from "../../src/contract/image-formats.ts";
import { imageFolder } from "../../src/core/images/asset.ts";
import { copyImages } from "../../src/core/operator/copy-images.ts";
import { readImages } from "../../src/lifecycle/read-images.ts";
import { sendNotices } from "../../src/review/notices/send-notices.ts";
import { servicesOf } from "../../src/services.ts";
import worker from "../../src/worker.ts";
import { admin } from "../support/admin.ts";
import { sql } from "../support/filled-workspace.ts";
import { pngOfSize } from "../support/images.ts";
import { addressIn, type SentMail, watchMails } from "../support/mails.ts";
import { baseUrl, post } from "../support/partner.ts";
import { imagesInBucket } from "../support/review.ts";
import { makeReview } from "../support/reviewer.ts";
import { minute } from "../support/webhooks.ts";

/** The picture of a deliverable in e-mails and link previews. */

const image = { embed_url: undefined, image_base64: pngOfSize(1600, 1000) };

let mails: SentMail[];
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  mails = watchMails();
});

const input = env.IMAGE_TRANSFORMS.input.bind(env.IMAGE_TRANSFORMS);
const watchTransforms = (transform: ImagesBinding["input"] = input) =>
  vi.spyOn(env.IMAGE_TRANSFORMS, "input").mockImplementation(transform);

/** Retries, because on a busy machine a picture may take longer than an e-mail waits for it. */
const oncePictured = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 50_000, interval: 200 });

const jpeg = imageFormats.find(({ extension }) => extension === "jpg");
const sizeOf = (content: ArrayBuffer) => jpeg?.read(new Uint8Array(content));

const shownIn = (sent: readonly SentMail[]) =>
  sent.map(({ subject, text, html, attachments = [] }) => [
    subject,
    attachments.map(({ contentId, content }) => [html.includes(`src="cid:${contentId}"`), sizeOf(content)]),
    /\bpin \d+/.exec(text)?.[0],
  ]);

const send = async ({ studio, id }: Awaited<ReturnType<typeof makeReview>>) => {
  expect((await post(studio, `/api-v1/deliverables/${id}/send`, {})).status).toBe(200);
  return mails.at(-1) as SentMail;
};

const picture = [[true, [560, 350]]];

describe("an e-mail about a review", () => {
  it("shows the version's picture, and the number of a comment's pin [P24]", async () => {
    const made = await makeReview(image);
    const { studio, id, visitor } = made;
    await oncePictured(async () => expect(shownIn([await send(made)])[0]?.[1]).toEqual(picture));
    mails.length = 0;
    const transforms = watchTransforms();
    const sent = await send(made);
    await sql("UPDATE deliverables SET reminder_due_at = '2026-01-01T00:00:00.000Z' WHERE id = ?", id);
    await minute();
    await visitor.comment("By the bare link", { across: "10", down: "10" });
    await visitor.follow(addressIn(sent));
    await visitor.comment("No spot");
    await visitor.comment("Larger", { kind: "change_request", across: "20", down: "20" });
    await visitor.signOff();
    // A delayed notice still has its own comment's pin number.
    await sql(
      `UPDATE review_notices SET due_at = '2026-01-01T00:00:00.000Z' WHERE deliverable_id = ?
         AND feedback_id IN (SELECT id FROM feedback WHERE body = 'By the bare link')`,
      id,
    );
    await sendNotices(servicesOf(env), studio.organizationId);
    await vi.waitFor(() => expect(mails).toHaveLength(8), 10_000);
    expect(shownIn(mails).sort()).toEqual([
      ["Homepage concept is ready for your review", picture, undefined],
      ["New comment on Homepage concept", [], "pin 1"],
      ["New comment on Homepage concept", [], "pin 1"],
      ["Nora Wind asks for changes to Homepage concept", picture, "pin 2"],
      ["Nora Wind commented on Homepage concept", picture, undefined],
      ["Reminder: Homepage concept is waiting for your review", picture, undefined],
      ["Signed off: Homepage concept", picture, undefined],
      ["Signed off: Homepage concept", picture, undefined],
    ]);
    expect(sent.attachments).toMatchObject([{ disposition: "inline", type: "image/jpeg" }]);
    expect(mails.flatMap(({ html }) => html.match(/src="(?!cid:)/g) ?? [])).toEqual([]);
    expect(transforms).not.toHaveBeenCalled();
  });

  it("is sent without a picture if the picture cannot be made [P24]", async () => {
    const failing = watchTransforms(() => {
      throw new Error("IMAGES_TRANSFORM_ERROR 9423: the limit of this account");
    });
    const made = await makeReview(image);
    expect(await send(made)).toMatchObject({ html: expect.not.stringContaining("cid:") });
    expect((await made.visitor.fetch(`${made.visitor.path}/preview`)).status).toBe(404);
    expect(failing).toHaveBeenCalledTimes(2);
    watchTransforms();
    await oncePictured(async () => expect(shownIn([await send(made)])[0]?.[1]).toEqual(picture));
  });

  it("has no picture for an embed [P24]", async () => {
    expect(await send(await makeReview())).not.toHaveProperty("attachments");
  });
});

const tags = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<meta property="(og:\w+)" content="([^"]+)"/g)].map(([, name, content]) => [
      name,
      content,
    ]),
  );

describe("a link preview", () => {
  it("has the title and the newest picture, unless the workspace disables previews [P24]", async () => {
    const made = await makeReview(image);
    const { studio, visitor } = made;
    const preview = () => visitor.fetch(`${visitor.path}/preview`);
    expect(tags(await visitor.read())).toEqual({
      "og:title": expect.stringMatching(/^Homepage concept · /),
      "og:image": `${baseUrl}${visitor.path}/preview`,
    });
    await oncePictured(async () => expect((await preview()).status).toBe(200));
    const shown = await preview();
    expect([shown.status, shown.headers.get("content-type"), shown.headers.get("x-robots-tag")]).toEqual([
      200,
      "image/jpeg",
      "noindex, nofollow",
    ]);
    expect(sizeOf(await shown.arrayBuffer())).toEqual([1200, 750]);

    await admin(studio, "set-brand", { link_previews: false });
    expect([tags(await visitor.read()), (await preview()).status]).toEqual([{}, 404]);
    expect(await send(made)).not.toHaveProperty("attachments");
    await admin(studio, "set-brand", { link_previews: true });
    expect((await preview()).status).toBe(200);
  });

  it("has only the title for an embed or without the image binding [P24]", async () => {
    const embed = (await makeReview()).visitor;
    expect(Object.keys(tags(await embed.read()))).toEqual(["og:title"]);
    expect((await embed.fetch(`${embed.path}/preview`)).status).toBe(404);
    const { path } = (await makeReview(image)).visitor;
    const without = async (address: string) => {
      const execution = createExecutionContext();
      const bound = { ...env, IMAGE_TRANSFORMS: undefined as never };
      const answer = await worker.fetch(new Request(`${baseUrl}${address}`) as never, bound, execution);
      await waitOnExecutionContext(execution);
      return answer;
    };
    expect(Object.keys(tags(await (await without(path)).text()))).toEqual(["og:title"]);
    expect((await without(`${path}/preview`)).status).toBe(404);
  });
});

describe("a stored picture", () => {
  it("is neither exported nor backed up [P24]", async () => {
    const made = await makeReview(image);
    await oncePictured(async () => expect(await send(made)).toHaveProperty("attachments"));
    const [stored, kept] = await imagesInBucket(made.studio);
    expect(kept).toMatch(/\/pictures\/.+\.png\.mail\.jpg$/);
    const folder = imageFolder(made.studio.organizationId);
    const exported = await readImages(env.IMAGES, folder, "", 0);
    expect(exported.images.map(({ path }) => path)).toEqual([stored]);
    const rest = await readImages(env.IMAGES, folder, stored ?? "", 0);
    expect(rest).toEqual({ images: [], whole: [], next: null });
    const { lines } = await copyImages(servicesOf(env), "2026-01-31", null);
    expect([lines.includes(stored ?? "-"), lines.includes("/pictures/")]).toEqual([true, false]);
  });

  it("is deleted if its image is erased while the picture is being made", async () => {
    const made = await makeReview(image);
    const [stored = ""] = await imagesInBucket(made.studio);
    watchTransforms(
      (stream) =>
        ({
          ...input(stream),
          transform: () => ({
            output: async () => {
              await env.IMAGES.delete(stored);
              return { response: () => new Response("a picture") };
            },
          }),
        }) as never,
    );
    await send(made);
    expect(await imagesInBucket(made.studio)).toEqual([]);
  });
});
