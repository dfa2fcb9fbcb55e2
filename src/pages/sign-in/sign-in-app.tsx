import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Child } from "hono/jsx";
import * as z from "zod";
import { emailInput } from "../../contract/fields.ts";
import { sessionLimits } from "../../contract/session-limits.ts";
import { run } from "../../db/query.ts";
import { senderOf } from "../../http/sender-of.ts";
import { forgetSecret } from "../../http/senders.ts";
import { forgetSession, rememberSession, sessionSecret } from "../../http/session-cookie.ts";
import { sessionOf } from "../../http/session-of.ts";
import { report } from "../../platform/log.ts";
import { isSecret, secretHash } from "../../platform/secret.ts";
import { mailSignInLink } from "../../workspace/sessions/mail-sign-in-link.ts";
import { endSession, findSignInLink, signIn } from "../../workspace/sessions/sign-in.ts";
import { showPage } from "../layout.tsx";
import { MessagePage } from "../message.tsx";
import type { PageApp } from "../page-app.ts";
import { returnPathOf, signInFor } from "./return-path.ts";
import {
  DeadLinkPage,
  LinkMailedPage,
  SignedInPage,
  SignInPage,
  SignOutPage,
  UseLinkPage,
} from "./sign-in-pages.tsx";

type C = Context<PageApp>;

const sentPath = "/sign-in?sent";
/** Without a form id, each request sends a separate link. */
const FormId = z.guid().nullable().catch(null);

/** Serves the pages to sign in and out (contract S1-S3, docs/design/sessions.md). GET changes nothing. */
export function signInApp(): Hono<PageApp> {
  const app = new Hono<PageApp>();
  app.get("/sign-in", showSignIn);
  app.post("/sign-in", limited, askForLink);
  app.get("/sign-in/:link", showLink);
  app.post("/sign-in/:link", useLink);
  app.get("/sign-out", (c) => html(c, <SignOutPage />));
  app.post("/sign-out", signOut);
  return app;
}

const limited = bodyLimit({
  maxSize: sessionLimits.formBytes,
  onError: (c) => tooMuch(c as C, "This form is too long.", 413),
});

const html = (c: C, page: Child, status: 200 | 400 | 404 | 413 | 429 = 200): Response =>
  showPage(c, page, status);

const tooMuch = (c: C, text: string, status: 413 | 429): Response =>
  html(c, <MessagePage heading="Too much at once" text={text} />, status);

async function showSignIn(c: C): Promise<Response> {
  const returnPath = returnPathOf(c.req.query("return_to"));
  const isSent = c.req.query("sent") !== undefined;
  const session = isSent ? null : await sessionOf(c, c.get("services"));
  if (session) return html(c, <SignedInPage returnPath={returnPath} email={session.email} />);
  const page = isSent ? (
    <LinkMailedPage returnPath={returnPath} />
  ) : (
    <SignInPage returnPath={returnPath} formId={crypto.randomUUID()} />
  );
  return html(c, page);
}

/**
 * Responds before looking up the e-mail address, so that neither the response nor its timing reveals who has an
 * account.
 */
async function askForLink(c: C): Promise<Response> {
  const services = c.get("services");
  const visitor = senderOf(c.req.raw.headers);
  if (!(await services.mayReadForm(`sign-in ${visitor}`)))
    return tooMuch(c, "Wait a minute, then try again.", 429);
  const form = await c.req.formData().catch(() => new FormData());
  const typed = form.get("email");
  const returnPath = returnPathOf(form.get("return_to"));
  const address = emailInput.safeParse(typed);
  if (!address.success) {
    const value = typeof typed === "string" ? typed : "";
    const error = "Enter an e-mail address like name@example.com";
    return html(c, <SignInPage {...{ returnPath, value, error }} formId={crypto.randomUUID()} />, 400);
  }
  const form_id = FormId.parse(form.get("form_id"));
  const mailing = mailSignInLink({ ...services, db: services.accounts }, address.data, {
    return_path: returnPath,
    form_id,
  });
  c.executionCtx.waitUntil(mailing.catch((error) => report({ mailing: "sign-in link" }, error)));
  return c.redirect(signInFor(returnPath, sentPath), 303);
}

/** Returns the link's secret; null if it is malformed. */
function linkOf(c: C): string | null {
  const secret = c.req.param("link");
  return isSecret(secret) ? secret : null;
}

async function showLink(c: C): Promise<Response> {
  const secret = linkOf(c);
  const link = secret && (await run(c.get("services").accounts, findSignInLink(secret)));
  return link
    ? html(c, <UseLinkPage path={c.req.path} email={link.email} />)
    : html(c, <DeadLinkPage />, 404);
}

async function useLink(c: C): Promise<Response> {
  const secret = linkOf(c);
  const signedIn = secret && (await signIn(c.get("services").accounts, secret, sessionSecret(c)));
  if (!signedIn) return html(c, <DeadLinkPage />, 404);
  rememberSession(c, signedIn.secret);
  return c.redirect(signedIn.returnPath ?? "/settings", 303);
}

async function signOut(c: C): Promise<Response> {
  const secret = sessionSecret(c);
  const wasSignedIn = secret !== undefined && (await run(c.get("services").accounts, endSession(secret)));
  if (!wasSignedIn) c.set("foundNothing", true);
  if (secret) forgetSecret(secretHash(secret));
  forgetSession(c);
  return c.redirect("/sign-in", 303);
}
