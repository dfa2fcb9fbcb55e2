import type { DeliveryProblem } from "../../contract/delivery-problem.ts";

/** The wording on pages and in e-mails. */
const texts: Readonly<Record<DeliveryProblem["kind"], string>> = {
  bounced: "The e-mail bounced",
  rejected: "The e-mail was rejected",
  failed: "The e-mail could not be delivered",
  complained: "The e-mail was marked as spam",
};

/** Returns the heading on a page about the review. */
export const problemHeading = ({ kind }: DeliveryProblem): string =>
  kind === "complained" ? "The client marked this review as spam" : "This review did not reach its client";

/** Returns a sentence that includes the mail server's message. */
export const problemText = ({ kind, reason }: DeliveryProblem): string =>
  reason === null ? `${texts[kind]}.` : `${texts[kind]}: ${reason.replace(/\.$/, "")}.`;
