import { html } from "hono/html";
import { oneLine } from "../../contract/characters.ts";
import type { Mail } from "../../platform/mail.ts";
import { quotedHtml, quotedText, quoteStyle, textStyle } from "../../workspace/mails/mail-parts.ts";

/** What a review mail is about, in the words its reader knows. */
export interface ReviewRequest {
  organizationName: string;
  senderName: string;
  senderEmail: string;
  clientName: string;
  clientEmail: string;
  title: string;
  projectName: string | null;
  versionNumber: number;
  /** Personal: it proves that its reader reads the client's mails. */
  link: string;
  message: string | null;
}

/**
 * The mail that asks a client for a review. It says who asks for what, shows the whole link, and carries nothing that
 * loads from elsewhere: no images, no tracking.
 */
export function reviewMail(asked: ReviewRequest): Mail {
  const review = { ...asked, ...inOneLine(asked) };
  return {
    fromName: `${review.senderName} (${review.organizationName})`,
    to: review.clientEmail,
    replyTo: review.senderEmail,
    subject: `${review.organizationName} asks you to review: ${review.title}`,
    text: textOf(review),
    html: String(htmlOf(review)),
  };
}

/** Each name becomes one line, so that none can look like a paragraph of the mail. */
const inOneLine = ({ organizationName, senderName, clientName, title, projectName }: ReviewRequest) => ({
  organizationName: oneLine(organizationName),
  senderName: oneLine(senderName),
  clientName: oneLine(clientName),
  title: oneLine(title),
  projectName: projectName === null ? null : oneLine(projectName),
});

const asks = ({ senderName, organizationName, versionNumber }: ReviewRequest) =>
  `${senderName} of ${organizationName} ${versionNumber > 1 ? "has a new version ready for" : "asks for"} your review:`;

const version = ({ projectName, versionNumber }: ReviewRequest) =>
  `Version ${versionNumber}${projectName === null ? "" : `, project ${projectName}`}`;

const why = ({ senderName, senderEmail, organizationName, clientEmail }: ReviewRequest) =>
  `This e-mail was sent to ${clientEmail} because ${senderName} (${senderEmail}) of ${organizationName} ` +
  "shares work with you for review. If you did not expect it, answer this e-mail and ask; there is nothing else " +
  "that you need to do.";

const personal =
  "The link is personal: whoever has it can sign off the work in your name. Do not pass this mail on.";

const textOf = (review: ReviewRequest): string =>
  [
    `Hello ${review.clientName},`,
    `${asks(review)}\n\n  ${review.title}\n  ${version(review)}`,
    ...(review.message ? [`Message from ${review.senderName}:\n\n${quotedText(review.message)}`] : []),
    `Open the review:\n${review.link}`,
    personal,
    `-- \n${why(review)}`,
  ].join("\n\n");

const paragraph = "margin:0 0 16px";
const button =
  "display:inline-block;padding:12px 24px;border-radius:6px;background:#1f4fd8;color:#ffffff;" +
  "font-weight:600;text-decoration:none";
const address = "color:#1f4fd8;word-break:break-all";

const htmlOf = (review: ReviewRequest) => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${review.title}</title></head>
<body style="margin:0;padding:24px;background:#f5f5f5;${textStyle}">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px">
<p style="${paragraph}">Hello ${review.clientName},</p>
<p style="${paragraph}">${asks(review)}</p>
<p style="${paragraph}"><strong style="font-size:20px">${review.title}</strong><br>${version(review)}</p>
${review.message ? messageOf(review.senderName, review.message) : ""}
<p style="${paragraph}"><a href="${review.link}" style="${button}">Open the review</a></p>
<p style="${paragraph}">Or copy this address into your browser:<br>\
<a href="${review.link}" style="${address}">${review.link}</a></p>
<p style="margin:0;color:#595959;font-size:14px">${personal}</p>
</div>
<p style="max-width:560px;margin:16px auto 0;color:#595959;font-size:13px">${why(review)}</p>
</body>
</html>
`;

const messageOf = (senderName: string, message: string) =>
  html`<p style="margin:0 0 8px;color:#595959;font-size:14px">Message from ${senderName}:</p>
<blockquote style="${quoteStyle}">${quotedHtml(message)}</blockquote>`;
