import type { DeliveryProblem } from "../../contract/delivery-problem.ts";

/** What became of an e-mail, as pages and e-mails say it. */
const texts: Readonly<Record<DeliveryProblem["kind"], string>> = {
  bounced: "The e-mail came back",
  rejected: "The e-mail was rejected",
  failed: "The e-mail could not be delivered",
  complained: "The e-mail was marked as spam",
};

/** The same as a heading, on a page about the review. */
export const problemHeading = ({ kind }: DeliveryProblem): string =>
  kind === "complained" ? "The client marked this review as spam" : "This review did not reach its client";

/** With what the server said, as a sentence. */
export const problemText = ({ kind, reason }: DeliveryProblem): string =>
  reason === null ? `${texts[kind]}.` : `${texts[kind]}: ${reason.replace(/\.$/, "")}.`;
