import type { Context } from "hono";
import { refuse } from "../../contract/refusal.ts";
import { run } from "../../db/query.ts";
import { note } from "../../platform/log.ts";
import { isSecret, secretHash } from "../../platform/secret.ts";
import { findReminders, type Reminders, stopReminders } from "../../review/reminders/stop-reminders.ts";
import { CenteredPage, showPage } from "../layout.tsx";
import { cannotSave, messagePage, tryAgain } from "../message-page.tsx";
import type { PageApp } from "../page-app.ts";
import { Button } from "../parts/button.tsx";
import { When } from "../parts/time.tsx";
import { tooManyRequests } from "../too-many-requests.tsx";
import { pathOf, reviewNotFound } from "./responses.tsx";
import { mayVisit } from "./visitor.ts";

type C = Context<PageApp>;

/** Shows the page to stop reminders. Opening it does not stop them, because mail scanners open links too. */
export async function confirmStopReminders(c: C): Promise<Response> {
  const found = await find(c);
  return found ? page(c, found) : reviewNotFound(c);
}

export async function postStopReminders(c: C): Promise<Response> {
  if (!(await mayVisit(c, "forms"))) return tooManyRequests(c, refuse("too_many_forms"));
  const found = await find(c);
  if (!found) return reviewNotFound(c);
  if (found.isMoving) {
    const { alert, headers } = refuse("organization_is_moving");
    return messagePage(c, 503, { ...cannotSave, text: alert, link: tryAgain(c) }, headers);
  }
  await run(c.get("services").db, stopReminders(found));
  return c.redirect(c.req.path, 303);
}

/** Finds the reminders by the key in the URL, which is only sent to the client's mailbox. */
async function find(c: C): Promise<Reminders | null> {
  const key = c.req.param("key");
  if (!isSecret(key)) return null;
  const visit = { shareToken: c.req.param("token") ?? "", keyHash: secretHash(key) };
  const found = await run(c.get("services").db, findReminders(visit));
  if (found) note({ organization_id: found.organizationId });
  return found;
}

const page = (c: C, { organizationId, workspace, title, dueAt, ...brand }: Reminders): Response => {
  const host = { name: workspace, brand: { organization_id: organizationId, ...brand } };
  const review = `${pathOf(c)}/${c.req.param("key")}`;
  return showPage(
    c,
    dueAt === null ? (
      <CenteredPage title="No more reminders" host={host}>
        <div>
          <h1>No more reminders</h1>
          <p class="lede" role="status">
            <bdi>{workspace}</bdi> won't send you any more reminders about <bdi>{title}</bdi>. You can still
            review it.
          </p>
        </div>
        <div class="actions">
          <Button kind="quiet" href={review}>
            Open the review
          </Button>
        </div>
      </CenteredPage>
    ) : (
      <CenteredPage title="Stop reminders" host={host}>
        <div>
          <h1>Stop reminders?</h1>
          <p class="lede">
            <bdi>{workspace}</bdi> is waiting for your review of <bdi>{title}</bdi>. The next reminder goes
            out on <When at={dueAt} />.
          </p>
        </div>
        <form class="card" method="post" action={c.req.path}>
          <Button size="large">Stop reminders</Button>
        </form>
        <p class="foot">
          You'll still get an e-mail when there is a new version. <a href={review}>Open the review</a>
        </p>
      </CenteredPage>
    ),
  );
};
