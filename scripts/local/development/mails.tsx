import type { Context } from "hono";
import * as z from "zod";
import { ColumnPage, showPage } from "../../../src/pages/layout.tsx";
import { NotFoundPage } from "../../../src/pages/message.tsx";
import type { PageApp } from "../../../src/pages/page-app.ts";
import { Button } from "../../../src/pages/parts/button.tsx";
import { Card, Empty } from "../../../src/pages/parts/card.tsx";
import { Facts } from "../../../src/pages/parts/figures.tsx";
import { Crumbs } from "../../../src/pages/parts/navigation.tsx";
import { Cell, Table } from "../../../src/pages/parts/table.tsx";
import { Ago } from "../../../src/pages/parts/time.tsx";
import { pictureId } from "../../../src/platform/mail.ts";

type C = Context<PageApp>;

/** `wrangler dev` stores the e-mails that it would have sent. */
const mailbox = "/cdn-cgi/local/explorer/api/local/email/sending";

const Listed = z.object({
  messageId: z.string(),
  subject: z.string(),
  to: z.array(z.string()),
  sentAt: z.string(),
});
const Mail = Listed.extend({ from: z.string(), text: z.string(), html: z.string() });

/** Queries the mailbox; null if the e-mail or the mailbox does not exist. */
async function ask<S extends z.ZodType>(c: C, query: string, result: S): Promise<z.output<S> | null> {
  const answer = await c.get("services").fetch(`${new URL(c.req.url).origin}${mailbox}?${query}`);
  const body = z.object({ result: z.unknown() }).safeParse(await answer.json().catch(() => null));
  return result.safeParse(body.data?.result).data ?? null;
}

export async function showMails(c: C): Promise<Response> {
  const mails = (await ask(c, "per_page=100", z.array(Listed))) ?? [];
  return showPage(
    c,
    <ColumnPage title="Mails" brand={c.get("services").mailFrom.name}>
      <h1>Mails</h1>
      <p class="muted">What this service sent, newest first. No mail leaves this machine.</p>
      {mails.length === 0 ? (
        <Empty icon="mail" heading="No mails yet">
          Send a deliverable, sign in or invite someone.
        </Empty>
      ) : (
        <div class="card flush">
          <Table label="Mails" head={["Subject", "To", { text: "Sent", atEnd: true }]}>
            {mails.map(({ messageId, subject, to, sentAt }) => (
              <tr>
                <th scope="row">
                  <a href={`/dev/mails/${encodeURIComponent(messageId)}`}>{subject}</a>
                </th>
                <Cell phone="rest">{to.join(", ")}</Cell>
                <Cell atEnd>
                  <Ago at={sentAt} />
                </Cell>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </ColumnPage>,
  );
}

const findMail = (c: C) => ask(c, `email_id=${encodeURIComponent(c.req.param("id") ?? "")}`, Mail);

const notFound = (c: C): Response => showPage(c, <NotFoundPage />, 404);

export async function showMail(c: C): Promise<Response> {
  const mail = await findMail(c);
  if (!mail) return notFound(c);
  return showPage(
    c,
    <ColumnPage title={mail.subject} brand={c.get("services").mailFrom.name}>
      <Crumbs href="/dev/mails">Mails</Crumbs>
      <h1>{mail.subject}</h1>
      <Facts
        facts={[
          ["From", mail.from],
          ["To", mail.to.join(", ")],
          ["Sent", <Ago at={mail.sentAt} />],
        ]}
      />
      <div class="actions">
        <Button icon="mail" href={`${c.req.path}/html`}>
          As a mail program shows it
        </Button>
      </div>
      <Card heading="As plain text" id="text">
        <pre class="answer whole-text" tabindex={0}>
          {mail.text}
        </pre>
      </Card>
    </ColumnPage>,
  );
}

/** The mailbox does not store attachments, so the review's preview replaces the picture. */
const withPicture = (html: string): string =>
  html.replace(`cid:${pictureId}`, `${/\/review\/[\w-]{32}/.exec(html)?.[0]}/preview`);

/** Allows the e-mail's markup and styles (pages/security.ts). */
export async function showMailHtml(c: C): Promise<Response> {
  const mail = await findMail(c);
  return mail ? (c.html(withPicture(mail.html)) as Response) : notFound(c);
}
