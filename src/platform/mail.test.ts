import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sendMail } from "./mail.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const mailFrom = { name: "Countersign", email: "reviews@example.com" };
const to = "nora@northwind.example";
const text = "Hello";
const mail = { to, write: (service: string) => ({ text, html: `<p>${service}</p>` }) };
/** The e-mail as the binding receives it. */
const sent = { to, text, html: "<p>Countersign</p>" };

it("each e-mail header stays on one line, whatever the sender and subject contain", async () => {
  const send = vi.fn(async () => ({ messageId: "1" }));
  const steered = { ...mail, fromName: "Studio\r\nBcc: x@y.z", subject: "Look\n\u202eat this" };
  await sendMail({ email: { send }, mailFrom }, steered);
  const from = { name: "Studio Bcc: x y.z via Countersign", email: "reviews@example.com" };
  expect(send.mock.calls).toEqual([[{ ...sent, from, subject: "Look at this" }]]);
});

it.each([
  ["Studio Nord", "Studio Nord", "Homepage", "Homepage"],
  [
    'x" <security@bank.example>, "',
    "x security bank.example,",
    "=?utf-8?q?Pay=20now?=",
    "= ?utf-8?q?Pay=20now?=",
  ],
  ["<@>", "Workspace", "==??", "== ??"],
  ["Léa O'Neill (Nord)", "Léa O'Neill (Nord)", "See https://bank.example", "See https: //bank.example"],
])(
  "addresses and encoded words are neutralized: sender %j becomes %j, subject %j becomes %j",
  async (fromName, name, subject, shown) => {
    const send = vi.fn(async (_: unknown) => ({ messageId: "1" }));
    const mailer = { email: { send }, mailFrom };
    await sendMail(mailer, { ...mail, fromName, subject });
    const from = { name: `${name} via Countersign`, email: "reviews@example.com" };
    expect(send.mock.calls).toEqual([[{ ...sent, from, subject: shown }]]);
  },
);

it("sendMail fails if the e-mail is not accepted within 10 seconds", async () => {
  const send = () => new Promise<EmailSendResult>(() => {});
  const settled = vi.fn();
  const sending = sendMail({ email: { send }, mailFrom }, { ...mail, fromName: "Studio", subject: "Look" });
  sending.catch(settled);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(settled).toHaveBeenCalled();
});

it("sendMail fails with the reason for a rejected e-mail, without any address", async () => {
  const reason = "550 5.1.1 <Nora@Northwind.example>: no mailbox nora+x@northwind.example (E_REFUSED)";
  const send = () => Promise.reject(new Error(reason));
  const sending = sendMail({ email: { send }, mailFrom }, { ...mail, fromName: "Studio", subject: "Look" });
  await expect(sending).rejects.toThrow("550 5.1.1 <[address]>: no mailbox [address] (E_REFUSED)");
});
