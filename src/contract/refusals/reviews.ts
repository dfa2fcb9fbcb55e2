import { reviewLimits } from "../review-limits.ts";
import type { RefusalEntry } from "./entry.ts";

/** Refusals that only a client sees, on the pages of a review. */
export const reviews = {
  address_not_confirmed: {
    status: 403,
    text: "Nothing was signed: confirm your e-mail address first, below.",
  },
  nobody_to_sign_off: {
    status: 403,
    text: "Nothing was signed: signing off here takes an e-mail address of the client.",
  },
  code_wrong: {
    status: 403,
    text: "That is not the code. Enter the one from the newest e-mail, or ask for another one below.",
  },
  code_over: {
    status: 403,
    text: "That code was used, has expired or was tried too often. Ask for another one below.",
  },
  newer_version: {
    status: 409,
    text: "Nothing was sent: there is a newer version. This is it: look at it first.",
  },
  changes_requested: {
    status: 409,
    text: "Nothing was signed: someone has asked for changes. Read the conversation before you decide.",
  },
  too_many_codes: {
    status: 429,
    text: "We have e-mailed several codes already. Wait an hour, or use the link in your e-mail.",
    retryAfterSeconds: 3600,
  },
  too_many_comments: {
    status: 429,
    text: "This was not sent: too many comments from unconfirmed visitors today. Use the link in your e-mail.",
    retryAfterSeconds: 86_400,
  },
  too_many_reads: {
    status: 429,
    text: "This page was opened too often. Wait a minute, then try again.",
    retryAfterSeconds: 60,
  },
  too_many_comments_with_key: {
    status: 429,
    text: "This was not sent: this review takes no more comments today. Continue tomorrow.",
    retryAfterSeconds: 86_400,
  },
  review_full: {
    status: 422,
    text: `This was not sent: this review has ${reviewLimits.comments} comments, and takes no more.`,
  },
  too_many_forms: {
    status: 429,
    text: "This was not sent: too many forms at once. Wait a minute, then try again.",
    retryAfterSeconds: 60,
  },
  too_many_images: {
    status: 429,
    text: "This was not checked: too many images are being checked. Try again in a moment.",
    retryAfterSeconds: 1,
  },
  code_not_mailed: { status: 502, text: "The code could not be e-mailed. Try again in a moment." },
} as const satisfies Record<string, RefusalEntry>;
