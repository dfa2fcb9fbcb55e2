import { reviewLimits } from "../review-limits.ts";
import type { RefusalEntry } from "./entry.ts";

/** What only a client meets, on the pages of a review. */
export const reviews = {
  address_not_confirmed: {
    status: 403,
    text: "Nothing was signed: first confirm that the client's mailbox is yours, below.",
  },
  nobody_to_sign_off: {
    status: 403,
    text: "Nothing was signed: without an e-mail address nobody can sign off here.",
  },
  code_wrong: {
    status: 403,
    text: "That code is not valid. Type the one of the newest mail, or have another one mailed.",
  },
  code_over: {
    status: 403,
    text: "That code was used, tried too often or has expired. Have another one mailed, below.",
  },
  newer_version: {
    status: 409,
    text: "Nothing was sent: there is a newer version meanwhile. This is it; look at it first.",
  },
  changes_requested: {
    status: 409,
    text: "Nothing was signed: somebody asked for changes meanwhile. Read the conversation before you decide.",
  },
  too_many_codes: {
    status: 429,
    text: "Enough codes were mailed for now. Wait an hour, or use the mailed link.",
    retryAfterSeconds: 3600,
  },
  too_many_comments: {
    status: 429,
    text: "This was not sent: enough was said today by visitors whose name is not confirmed. Use the mailed link.",
    retryAfterSeconds: 86_400,
  },
  too_many_reads: {
    status: 429,
    text: "This page was opened very often in the last minute. Wait one and try again.",
    retryAfterSeconds: 60,
  },
  too_many_comments_with_key: {
    status: 429,
    text: "This was not sent: enough was said in this review today. Go on tomorrow.",
    retryAfterSeconds: 86_400,
  },
  review_full: {
    status: 422,
    text: `This was not sent: this review has ${reviewLimits.comments} comments, and takes no more.`,
  },
  too_many_forms: {
    status: 429,
    text: "This was not sent: too many forms in a minute. Wait one and try again.",
    retryAfterSeconds: 60,
  },
  too_many_images: {
    status: 429,
    text: "This was not checked: too many images are being checked. Try again in a moment.",
    retryAfterSeconds: 1,
  },
  code_not_mailed: { status: 502, text: "The code could not be mailed. Try again in a moment." },
} as const satisfies Record<string, RefusalEntry>;
