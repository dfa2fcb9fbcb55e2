import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Mail } from "../../src/platform/mail.ts";
import { codeMail, feedbackMail, signOffMail } from "../../src/review/notices/review-mails.ts";
import { reminderMail } from "../../src/review/reminders/reminder-mail.ts";
import { reviewMail } from "../../src/review/sends/review-mail.ts";
import { openBrowser, screenshot, visit } from "./browser.ts";

const url = `https://app.example.com/review/${"k".repeat(160)}`;
const about = {
  workspace: "Studio Vinge",
  accent: "#c2410c",
  title: `${"poster_export_".repeat(12)}.png`,
  versionNumber: 2,
  imagePath: "organizations/1/images/1.png",
};
const body = `See ${url}`;
const to = "nora@northwind.example";

const mails: Record<string, Mail> = {
  review: reviewMail({
    organizationName: about.workspace,
    accent: about.accent,
    senderName: "Ada Vinge",
    senderEmail: "ada@studio-vinge.example",
    clientName: "Nora Wind",
    clientEmail: to,
    title: about.title,
    projectName: null,
    versionNumber: 2,
    imagePath: about.imagePath,
    link: url,
    message: body,
  }),
  reminder: reminderMail({
    organizationName: about.workspace,
    accent: about.accent,
    senderName: "Ada Vinge",
    senderEmail: "ada@studio-vinge.example",
    clientName: "Nora Wind",
    clientEmail: to,
    title: about.title,
    projectName: null,
    versionNumber: 2,
    imagePath: about.imagePath,
    sentAt: "2026-01-31T09:30:00.000Z",
    isLast: false,
    link: url,
  }),
  feedback: feedbackMail(
    { ...about, kind: "comment", authorName: "Nora Wind", isConfirmed: true, pin: 3, body, reviewUrl: url },
    to,
  ),
  "sign-off": signOffMail(
    {
      ...about,
      signerName: "Nora Wind",
      signedOffAt: "2026-01-31T09:30:00.000Z",
      projectName: null,
      reviewUrl: url,
      ownerEmail: to,
    },
    to,
    "client",
  ),
  code: codeMail({ ...about, code: "123456", minutes: 10 }, to),
};

/** An image as wide as an e-mail allows. */
const picture = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" width="560" height="350"><rect width="560" height="350" fill="tan"/></svg>`,
)}`;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
});

it.each(Object.entries(mails))(
  "an e-mail fits on a phone screen even with long words: %s",
  async (name, mail) => {
    const { page, close } = await visit(browser, "phone");
    await page.setContent(mail.write("Countersign", true).html.replace("cid:work", picture));
    // The layout would be wider than the phone without a viewport tag, or with content that is too wide.
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await screenshot(page, `mail ${name}`);
    await close();
  },
);
