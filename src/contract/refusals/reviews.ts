import { reviewLimits } from "../review-limits.ts";
import type { RefusalEntry } from "./entry.ts";

/** Refusals that only clients see, on review pages. */
export const reviews = {
  address_not_confirmed: {
    status: 403,
    text: "Nothing was signed. First confirm your e-mail address below.",
  },
  nobody_to_sign_off: {
    status: 403,
    text: "Nothing was signed. To sign off here, use one of the client's e-mail addresses.",
  },
  code_wrong: {
    status: 403,
    text: "That code is wrong. Enter the code from the newest e-mail, or request another one below.",
  },
  code_over: {
    status: 403,
    text: "That code was used, has expired or was tried too often. Request another one below.",
  },
  newer_version: {
    status: 409,
    text: "Nothing was sent because there is a newer version. It is shown below. Look at it first.",
  },
  changes_requested: {
    status: 409,
    text: "Nothing was signed because someone has requested changes. Read the conversation before you decide.",
  },
  too_many_codes: {
    status: 429,
    text: "We have already e-mailed several codes. Wait an hour, or use the link in your e-mail.",
    retryAfterSeconds: 3600,
  },
  too_many_comments: {
    status: 429,
    text:
      "This was not sent because unconfirmed visitors have posted too many comments today. Use the link in " +
      "your e-mail.",
    retryAfterSeconds: 86_400,
  },
  too_many_reads: {
    status: 429,
    text: "This page was opened too often. Wait a minute, then try again.",
    retryAfterSeconds: 60,
  },
  too_many_comments_with_key: {
    status: 429,
    text: "This was not sent because this review has reached its limit of comments for today. Try again tomorrow.",
    retryAfterSeconds: 86_400,
  },
  review_full: {
    status: 422,
    text: `This was not sent because this review has reached the maximum of ${reviewLimits.comments} comments.`,
  },
  too_many_forms: {
    status: 429,
    text: "This was not sent because too many forms were sent at once. Wait a minute, then try again.",
    retryAfterSeconds: 60,
  },
  too_many_images: {
    status: 429,
    text: "This was not checked because too many images are being checked. Try again in a moment.",
    retryAfterSeconds: 1,
  },
  code_not_mailed: { status: 502, text: "The code could not be e-mailed. Try again in a moment." },
} as const satisfies Record<string, RefusalEntry>;
