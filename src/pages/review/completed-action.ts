import type { Review } from "../../review/visits/review.ts";
import { notMailedText } from "./forms.tsx";

/** What a visitor has just done, from the page's query string. */
const completedActions = ["comment", "change_request", "reply", "code", "confirmed"] as const;
export type CompletedAction = (typeof completedActions)[number];

export const completedActionIn = (query: string | undefined): CompletedAction | undefined =>
  completedActions.find((one) => one === query);

/** Describes what happened and what comes next. */
export function completedActionTexts(
  done: CompletedAction,
  review: Review,
  name: string | undefined,
): { heading: string; next: string } {
  const { workspace, visitor } = review;
  const told = `${name ? `Thanks, ${name}.` : "Thank you."} ${workspace} has been notified.`;
  switch (done) {
    case "comment":
      return {
        heading: told,
        next: "Their reply will appear here. You can add another comment, or sign off when you are happy.",
      };
    case "change_request":
      return {
        heading: told,
        next: "You will get an e-mail as soon as there is a new version. Until then, you can add to it below.",
      };
    case "reply":
      return {
        heading: "Your reply was sent.",
        next: notMailedText(review) ?? "The client gets it by e-mail.",
      };
    case "code":
      return { heading: "We have e-mailed you a code.", next: "Enter it below to sign off." };
    case "confirmed":
      return visitor === "link_only"
        ? {
            heading: "The code is correct.",
            next: "Your browser doesn't accept cookies, so open the link in the e-mail instead.",
          }
        : { heading: "Your address is confirmed.", next: "You can sign off now, below." };
    default:
      return done satisfies never;
  }
}
