import { html } from "hono/html";
import { oneLine } from "../../contract/characters.ts";
import type { Mail } from "../../platform/mail.ts";
import { quotedHtml, quotedText, quoteStyle, textStyle } from "../../workspace/mails/mail-parts.ts";
import type { FeedbackKind } from "../visits/review.ts";

/** What every mail about a review says. */
interface About {
  workspace: string;
  title: string;
  versionNumber: number;
}

interface FeedbackNotice extends About {
  kind: FeedbackKind;
  authorName: string;
  /** False: they came by the bare link, which others may have. */
  isConfirmed: boolean;
  body: string;
  reviewUrl: string;
}

interface SignOffNotice extends About {
  signerName: string;
  signedOffAt: string;
  reviewUrl: string;
  /** The address that the client's answer goes to. */
  ownerEmail: string | null;
}

/**
 * Tells the workspace's owner what a client said, and quotes the whole comment. Of somebody who came by the bare link,
 * who may be anybody, it repeats neither words nor name.
 */
export function feedbackMail(notice: FeedbackNotice, to: string): Mail {
  const title = oneLine(notice.title);
  if (!notice.isConfirmed) return strangerMail(notice, title, to);
  const author = oneLine(notice.authorName);
  const said = notice.kind === "change_request" ? "requests changes to" : "commented on";
  return mailOf({
    fromName: "Client review",
    to,
    subject: `${author} ${said} ${title}`,
    paragraphs: [`${author} ${said} version ${notice.versionNumber} of ${title}:`],
    quote: notice.body,
    link: { text: "Open the review", url: notice.reviewUrl },
  });
}

function strangerMail({ kind, versionNumber, reviewUrl }: FeedbackNotice, title: string, to: string): Mail {
  const what = kind === "change_request" ? "request for changes to" : "comment on";
  return mailOf({
    fromName: "Client review",
    to,
    subject: `New ${what} ${title}`,
    paragraphs: [
      `There is a new ${what} version ${versionNumber} of ${title}.`,
      "It came by the review link, without a confirmed e-mail address. Anyone with the link can comment, so this " +
        "e-mail does not repeat it. Read it on the review page.",
    ],
    link: { text: "Open the review", url: reviewUrl },
  });
}

/** Tells owner and client alike, so that neither learns of a sign-off from the other alone. */
export function signOffMail(notice: SignOffNotice, to: string, recipient: "owner" | "client"): Mail {
  const signer = oneLine(notice.signerName);
  const [title, workspace] = [oneLine(notice.title), oneLine(notice.workspace)];
  const at = `${notice.signedOffAt.slice(0, 10)} at ${notice.signedOffAt.slice(11, 16)} UTC`;
  return mailOf({
    fromName: recipient === "client" ? workspace : "Client review",
    to,
    ...(recipient === "client" && notice.ownerEmail !== null && { replyTo: notice.ownerEmail }),
    subject: `Signed off: ${title}`,
    paragraphs: [
      `${signer} signed off version ${notice.versionNumber} of ${title} on ${at}.`,
      recipient === "client"
        ? `You get this mail because the sign-off was made in your name towards ${workspace}. ` +
          `If it was not you, answer ${workspace} now.`
        : "The work is accepted; nothing of it changes any more.",
      "The certificate holds what was recorded, and a proof that can be verified without us.",
    ],
    link: { text: "Open the certificate", url: `${notice.reviewUrl}/certificate` },
  });
}

/** The code stands in the subject, so that it can be read off a locked phone. */
export function codeMail(about: About & { code: string; minutes: number }, to: string): Mail {
  const [title, workspace] = [oneLine(about.title), oneLine(about.workspace)];
  return mailOf({
    fromName: workspace,
    to,
    subject: `${about.code} is your code for ${title}`,
    paragraphs: [
      `Your code: ${about.code}`,
      `Type it on the page of ${title}, which ${workspace} shares with you for review. It is valid for ` +
        `${about.minutes} minutes.`,
      "If you did not ask for it, do nothing: without this mail the code is of no use to anyone. Never pass it on.",
    ],
  });
}

interface Parts {
  fromName: string;
  to: string;
  replyTo?: string;
  subject: string;
  paragraphs: readonly string[];
  quote?: string;
  link?: { text: string; url: string };
}

/** A mail whose text and HTML say the same; nothing in it loads from elsewhere. */
function mailOf({ paragraphs, quote, link, ...head }: Parts): Mail {
  const text = [
    ...paragraphs,
    ...(quote === undefined ? [] : [quotedText(quote)]),
    ...(link ? [`${link.text}:\n${link.url}`] : []),
  ].join("\n\n");
  const body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${head.subject}</title></head>
<body style="margin:0;padding:24px;${textStyle}">
${paragraphs.map((paragraph) => html`<p style="margin:0 0 16px">${paragraph}</p>`)}
${quote === undefined ? "" : html`<blockquote style="${quoteStyle}">${quotedHtml(quote)}</blockquote>`}
${link ? html`<p style="margin:0"><a href="${link.url}" style="color:#1f4fd8">${link.text}</a></p>` : ""}
</body></html>
`;
  return { ...head, text, html: String(body) };
}
