/** Every refusal of the review's pages: the status of the page that is shown instead, and what its alert says. */
export const reviewRefusals = {
  invalid: { status: 400, text: "This was not sent. Look at what is marked below." },
  address_not_confirmed: {
    status: 403,
    text: "Nothing was signed: first confirm that the client's mailbox is yours, below.",
  },
  no_address: {
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
  signed_off: { status: 409, text: "Nothing was sent: this work was signed off meanwhile." },
  changes_requested: {
    status: 409,
    text: "Nothing was signed: somebody asked for changes meanwhile. Read the conversation before you decide.",
  },
  form_used: {
    status: 409,
    text: "This form was sent before, with other words. What you wrote stands below: send it once more.",
  },
  too_large: { status: 413, text: "This was not sent: it is too long." },
  too_many_codes: {
    status: 429,
    text: "Enough codes were mailed for now. Wait an hour, or use the mailed link.",
  },
  too_many_mails: {
    status: 429,
    text: "Enough e-mails went out today. Wait until tomorrow (UTC), or use the mailed link.",
  },
  too_many_comments: {
    status: 429,
    text: "This was not sent: enough was said today by visitors whose name is not confirmed. Use the mailed link.",
  },
  too_many_requests: {
    status: 429,
    text: "This was not sent: too many forms in a minute. Wait one and try again.",
  },
  code_not_mailed: { status: 502, text: "The code could not be mailed. Try again in a moment." },
} as const satisfies Record<string, { status: number; text: string }>;

export type ReviewRefusal = keyof typeof reviewRefusals;
