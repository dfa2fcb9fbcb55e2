import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { watchMails } from "./mails.ts";

const mail = { from: "a@example.com", to: "b@example.com", subject: "Hello", text: "Hello" };

it("a spy on the e-mail binding also records e-mails from code that already used the binding", async () => {
  const send = async () =>
    expect(await env.EMAIL.send(mail)).toEqual({ messageId: expect.stringContaining("@example.com") });
  for (const round of [1, 2, 3, 4, 5]) {
    for (const _ of [1, 2, 3]) await send();
    const mails = watchMails();
    for (const _ of [1, 2, 3]) await send();
    expect(mails, `round ${round}`).toHaveLength(3);
    vi.restoreAllMocks();
  }
});
