import { beforeEach, describe, expect, it, vi } from "vitest";
import { admin } from "../support/admin.ts";
import { appRequest, issuer, pressed } from "../support/connect.ts";
import { insert, update } from "../support/filled-workspace.ts";
import { watchMails } from "../support/mails.ts";
import { alertOf } from "../support/reviewer.ts";
import { ownerAtHome, SettingsBrowser } from "../support/settings.ts";
import { makeWorkspace } from "../support/workspace.ts";

let { here, browser } = {} as Awaited<ReturnType<typeof ownerAtHome>>;
beforeEach(async () => {
  ({ here, browser } = await ownerAtHome());
});

const formActionOf = ({ headers }: Response) =>
  /form-action ([^;]+)/.exec(headers.get("content-security-policy") ?? "")?.[1];

describe("an app's authorization page", () => {
  it("shows the app's host, the redirect, the workspace and each permission [J4]", async () => {
    const { address } = await appRequest({
      client_id: "https://тимер.example/app",
      redirect_uri: "https://тимер.example/back",
    });
    const page = await browser.fetch(address);
    const text = await page.text();
    expect(text).toContain('<code class="app-host">xn--e1afmrg.example</code>');
    expect(text).toContain("https://xn--e1afmrg.example/back");
    expect(text).toContain("Test studio");
    expect(text).toMatch(/name="scope" value="client:read" checked=""\/>.*Read clients/);
    expect(text).toMatch(/name="scope" value="deliverable:send"\/>.*E-mail a client a review link/);
    expect(formActionOf(page)).toBe("'self' https://xn--e1afmrg.example");
    expect(formActionOf(await browser.fetch("/settings"))).toBe("'self'");
    const local = { client_id: "http://[::1]", redirect_uri: "http://[::1]:49152/back" };
    expect(formActionOf(await browser.fetch((await appRequest(local)).address))).toBe(
      "'self' http://*:49152",
    );
  });

  it("opens after the visitor has signed in [J4]", async () => {
    const mails = watchMails();
    const visitor = new SettingsBrowser();
    const { address } = await appRequest();
    const answer = await visitor.fetch(address);
    const signIn = new URL(answer.headers.get("location") ?? "", issuer);
    expect([answer.status, signIn.pathname, signIn.searchParams.get("return_to")]).toEqual([
      303,
      "/sign-in",
      address,
    ]);
    await visitor.post("/sign-in", { email: here.ownerEmail, return_to: address });
    await vi.waitFor(() => expect(mails).toHaveLength(1), 5_000);
    const link = new URL(/^https:\S+$/m.exec(mails[0]?.text ?? "")?.[0] ?? "").pathname;
    expect((await visitor.post(link)).headers.get("location")).toBe(address);
    expect((await visitor.post("/sign-out")).status).toBe(303);
    expect((await visitor.post(address, { scope: "client:read" })).status).toBe(401);
  });

  it("does not redirect if the client_id and the redirect_uri do not match [J3]", async () => {
    const { address } = await appRequest({ redirect_uri: "https://evil.example/back" });
    for (const answer of [await browser.fetch(address), await browser.post(address, { cancel: "on" })]) {
      expect([answer.status, answer.headers.get("location"), formActionOf(answer)]).toEqual([
        400,
        null,
        "'self'",
      ]);
      expect(await answer.text()).not.toMatch(/<form|href="https:/);
    }
  });

  it.each([
    [{ scope: "invoice:issue" }, "invalid_scope"],
    [{ webhook_url: "https://10.0.0.1/hooks" }, "invalid_request"],
    [{ webhook_url: "http://timer.example/hooks" }, "invalid_request"],
  ])("explains why %o is invalid and offers only Cancel [J4]", async (changes, error) => {
    const request = await appRequest(changes);
    for (const answer of [await browser.fetch(request.address), await browser.post(request.address)]) {
      expect(answer.status).toBe(400);
      expect(alertOf(await answer.text())).not.toBe("");
    }
    const heard = await pressed(browser, request, [["cancel", "on"]]);
    expect(Object.fromEntries(heard)).toMatchObject({ error, state: request.parameters.state, iss: issuer });
    expect(heard.has("code")).toBe(false);
  });

  it("offers only Cancel for a workspace without API access [J4]", async () => {
    const request = await appRequest();
    const canceled = await pressed(browser, request, [["cancel", "on"]]);
    expect(canceled.get("error")).toBe("access_denied");
    await update("organizations", here.organizationId, { plan: "free" });
    const answer = await browser.fetch(request.address);
    expect([answer.status, alertOf(await answer.text())]).toEqual([
      400,
      expect.stringContaining("paid plan"),
    ]);
    expect((await browser.post(request.address, { scope: "client:read" })).status).toBe(400);
    expect((await pressed(browser, request, [["cancel", "on"]])).get("error")).toBe("access_denied");
  });

  it("requires a choice among several workspaces, and at least one permission [J4]", async () => {
    const there = await makeWorkspace();
    const free = await makeWorkspace({ plan: "free" });
    for (const { organizationId } of [there, free])
      await insert("members", { organization_id: organizationId, email: here.ownerEmail, role: "admin" });
    const request = await appRequest();
    expect(await browser.read(request.address)).toContain(
      `name="workspace" value="org-${there.organizationId}"`,
    );
    const chosen = ["workspace", `org-${there.organizationId}`] as [string, string];
    const refusals: [[string, string][], number, string][] = [
      [[["scope", "client:read"]], 400, "Choose a workspace"],
      [
        [
          ["scope", "client:read"],
          ["workspace", "nobodys"],
        ],
        400,
        "Choose a workspace",
      ],
      [
        [
          ["scope", "client:read"],
          ["workspace", `org-${free.organizationId}`],
        ],
        403,
        "paid feature",
      ],
      [[chosen], 400, "at least one permission"],
      [[chosen, ["scope", "client:write"]], 400, "at least one permission"],
    ];
    for (const [fields, status, alert] of refusals) {
      const answer = await browser.post(request.address, fields);
      expect([answer.status, alertOf(await answer.text())]).toEqual([status, expect.stringContaining(alert)]);
    }
    expect((await pressed(browser, request, [chosen, ["scope", "client:read"]])).get("code")).toMatch(
      /^[\w-]{43}$/,
    );
  });

  it("rejects a form that is posted from another site [J4]", async () => {
    const { address } = await appRequest();
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await browser.post(address, { scope: "client:read" }, foreign)).status).toBe(403);
    expect(await admin(here, "audit-log")).toEqual([]);
  });
});
