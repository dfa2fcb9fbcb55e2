import type { DeliveryProblem } from "../../contract/delivery-problem.ts";
import { composeMail, momentText } from "../../core/mails/compose-mail.ts";
import type { Mail } from "../../platform/mail.ts";
import { problemText } from "../returned-mails/problem-texts.ts";
import { linkIsPersonal } from "../sends/review-mail.ts";
import type { ClientFeedbackKind } from "../visits/review.ts";

/** What every e-mail about a review contains. */
interface About {
  workspace: string;
  /** The workspace's color, `#rrggbb`; null without one. */
  accent: string | null;
  title: string;
  versionNumber: number;
}

/** An e-mail that shows the version's picture; `imagePath` is null without one. */
interface Pictured extends About {
  imagePath: string | null;
}

interface FeedbackNotice extends Pictured {
  /** The number of the comment's pin; null without one. */
  pin: number | null;
  kind: ClientFeedbackKind;
  authorName: string;
  /** False for a visitor identified only by the review's link, which anyone may have. */
  isConfirmed: boolean;
  body: string;
  reviewUrl: string;
}

interface ReplyNotice extends About {
  authorName: string;
  body: string;
  /** A personal link, which proves access to the client's mailbox. */
  link: string;
  /** The address for the client's replies. */
  ownerEmail: string | null;
}

interface SignOffNotice extends Pictured {
  signerName: string;
  signedOffAt: string;
  projectName: string | null;
  reviewUrl: string;
  /** The address for the client's replies. */
  ownerEmail: string | null;
}

interface ReturnedNotice extends About {
  clientName: string;
  clientEmail: string | null;
  problem: DeliveryProblem;
  /** The settings page that changes the client's address. */
  clientUrl: string;
}

const asOwner = (workspace: string) => `You received this e-mail as the owner of the workspace ${workspace}.`;
const asClient = (workspace: string) =>
  `You received this e-mail because ${workspace} shares work with you for review. Reply to reach them.`;

/**
 * Notifies the workspace's owner about a client's comment, quoting it in full. Omits the text and name if the visitor
 * has only the review's link and could be anyone.
 */
export function feedbackMail(notice: FeedbackNotice, to: string): Mail {
  const { kind, title, workspace, authorName: author, reviewUrl } = notice;
  if (!notice.isConfirmed) return strangerMail(notice, to);
  const said = kind === "change_request" ? "asks for changes to" : "commented on";
  return {
    fromName: null,
    to,
    ...composeMail(`${author} ${said} ${title}`, {
      from: workspace,
      accent: notice.accent,
      preheader: notice.body,
      heading: `${author} ${said} ${title}`,
      parts: [{ paragraph: `About ${onVersion(notice)}:` }, { quote: notice.body, by: author }],
      picture: notice,
      button: { text: "Open the review", url: reviewUrl },
      notes: ["Sign in to the settings first to reply on the page."],
      reason: asOwner(workspace),
    }),
  };
}

const onVersion = ({ pin, versionNumber }: FeedbackNotice): string =>
  `version ${versionNumber}${pin === null ? "" : `, pin ${pin}`}`;

function strangerMail(notice: FeedbackNotice, to: string): Mail {
  const { kind, title, workspace, accent, reviewUrl } = notice;
  const what = kind === "change_request" ? "request for changes to" : "comment on";
  return {
    fromName: null,
    to,
    ...composeMail(`New ${what} ${title}`, {
      from: workspace,
      accent,
      preheader: "It was sent from the review link. Read it on the page.",
      heading: `New ${what} ${title}`,
      parts: [
        { paragraph: `There is a new ${what} ${onVersion(notice)}.` },
        {
          paragraph:
            "It was sent from the review link, without a confirmed e-mail address. Anyone with the link can comment, " +
            "so this e-mail doesn't repeat it. Read it on the review page.",
        },
      ],
      button: { text: "Open the review", url: reviewUrl },
      reason: asOwner(workspace),
    }),
  };
}

/** Notifies the client about the workspace's reply. */
export function replyMail(notice: ReplyNotice, to: string): Mail {
  const { title, workspace, authorName: author } = notice;
  return {
    fromName: workspace,
    to,
    ...(notice.ownerEmail !== null && { replyTo: notice.ownerEmail }),
    ...composeMail(`${author} replied about ${title}`, {
      from: workspace,
      accent: notice.accent,
      preheader: notice.body,
      heading: `${author} replied about ${title}`,
      parts: [{ quote: notice.body, by: author }],
      button: { text: "Open the review", url: notice.link },
      notes: [linkIsPersonal],
      reason: asClient(workspace),
    }),
  };
}

/**
 * Composes the e-mail about a sign-off. Both the owner and the client get one, so that neither has to tell the other.
 */
export function signOffMail(notice: SignOffNotice, to: string, recipient: "owner" | "client"): Mail {
  const { title, workspace, versionNumber, signerName: signer, signedOffAt, projectName } = notice;
  const isClient = recipient === "client";
  return {
    fromName: isClient ? workspace : null,
    to,
    ...(isClient && notice.ownerEmail !== null && { replyTo: notice.ownerEmail }),
    ...composeMail(`Signed off: ${title}`, {
      from: workspace,
      accent: notice.accent,
      preheader: `${signer} accepted version ${versionNumber}. The certificate is ready.`,
      badge: { text: "Signed off", tone: "good" },
      heading: `${signer} accepted ${title}`,
      parts: [
        { paragraph: `Version ${versionNumber} is final. Here is the certificate for your files.` },
        {
          facts: [
            ["Signed by", signer],
            ["When", momentText(signedOffAt)],
            ...(projectName === null ? [] : [["Project", projectName] as const]),
          ],
        },
      ],
      picture: notice,
      button: { text: "Open the certificate", url: `${notice.reviewUrl}/certificate`, tone: "good" },
      notes: ["It carries a proof that anyone can verify without us."],
      reason: isClient
        ? `You received this e-mail because the sign-off was made in your name for ${workspace}. ` +
          "If it was not you, reply now."
        : asOwner(workspace),
    }),
  };
}

/** Notifies the owner that a send's e-mail did not reach the client. */
export function returnedMail(notice: ReturnedNotice, to: string): Mail {
  const { title, workspace, clientName, clientEmail, problem } = notice;
  const isSpam = problem.kind === "complained";
  const what = isSpam ? "Marked as spam" : "Not delivered";
  const heading = isSpam ? `${clientName} marked ${title} as spam` : `${title} did not reach ${clientName}`;
  return {
    fromName: null,
    to,
    ...composeMail(`${what}: ${title}`, {
      from: workspace,
      accent: notice.accent,
      preheader: `${heading}.`,
      badge: { text: what, tone: "bad" },
      heading,
      parts: [
        {
          facts: [
            ["What happened", problemText(problem)],
            ["When", momentText(problem.at)],
            ...(clientEmail === null ? [] : [["Address", clientEmail] as const]),
          ],
        },
        {
          paragraph: isSpam
            ? "Ask them to mark it as not spam before you send the work again."
            : "Check the address, then send the work again.",
        },
      ],
      button: { text: "Check the address", url: notice.clientUrl },
      reason: asOwner(workspace),
    }),
  };
}

/** Composes the e-mail with a code. The code is in the subject, so that it can be read on a locked phone. */
export function codeMail(about: About & { code: string; minutes: number }, to: string): Mail {
  const { title, workspace } = about;
  return {
    fromName: workspace,
    to,
    ...composeMail(`${about.code} is your code for ${title}`, {
      from: workspace,
      accent: about.accent,
      preheader: `Enter it on the page of ${title} within ${about.minutes} minutes.`,
      heading: "Your code",
      parts: [
        { paragraph: `Enter it on the page of ${title} to sign off.` },
        { digits: about.code, label: "Your code" },
      ],
      notes: [
        `It works for ${about.minutes} minutes. If you didn't request it, ignore this e-mail. Never share the code.`,
      ],
      reason: `You received this e-mail because ${workspace} shares work with you for review.`,
    }),
  };
}
