import type { Context } from "hono";
import type { Refusal } from "../contract/refusal.ts";
import { note } from "../platform/log.ts";
import { showPage } from "./layout.tsx";
import { MessagePage } from "./message.tsx";

const heading = "Too much at once";

/** Responds with a page for a visitor with too many requests, without a call to D1. */
export function tooManyRequests(c: Context, { name, text, headers }: Refusal): Response {
  note({ code: name });
  return showPage(c, <MessagePage heading={heading} text={text} />, 429, headers);
}
