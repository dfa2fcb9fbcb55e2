import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { sendNotices } from "../../src/review/notices/send-notices.ts";
import { servicesOf } from "../../src/services.ts";
import { notifyOwners } from "../../src/webhooks/health/notify-owners.ts";
import { watchMails } from "../support/mails.ts";
import { insertComments, makeReview } from "../support/reviewer.ts";
import { insertEndpoint } from "../support/settings.ts";
import { makeWorkspace } from "../support/workspace.ts";

it("a workspace with more review notices than a minute mails holds up no other's", async () => {
  const [loud, quiet] = [await makeReview(), await makeReview()];
  await insertComments(loud.id, { count: 60, age: "-1 hour" });
  await insertComments(quiet.id, { count: 1, age: "-1 minute" });
  watchMails();
  await sendNotices(servicesOf(env), null);
  const { results } = await env.DB.prepare(
    "SELECT count(*) AS due FROM review_notices WHERE deliverable_id = ? AND due_at IS NOT NULL",
  )
    .bind(quiet.id)
    .all();
  expect(results).toEqual([{ due: 0 }]);
});

it("a workspace with more endpoints to be told of than a minute mails holds up no other's", async () => {
  const [loud, quiet] = [await makeWorkspace(), await makeWorkspace()];
  await insertEndpoint(quiet, { notice_due_at: "2026-01-01T00:00:00.000Z" });
  for (let index = 0; index < 50; index += 1)
    await insertEndpoint(loud, { notice_due_at: "2026-01-02T00:00:00.000Z" });
  const mails = watchMails();
  await notifyOwners(servicesOf(env));
  expect(mails.map(({ to }) => to)).toContain(quiet.ownerEmail);
});
