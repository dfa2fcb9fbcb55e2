import { describe, expect, it } from "vitest";
import openapi from "../../openapi.json";
import { call } from "../support/partner.ts";

const nobody = { token: "" };
const textAt = async (path: string) => {
  const answer = await call(nobody, path, { token: null, headers: { apikey: "" } });
  return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
};

const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, summary }]) => ({
    call: `${method.toUpperCase()} ${path}`,
    operationId,
    summary,
  })),
);

describe("pages for machines, with no key", () => {
  it("begin at /llms.txt, whose every link leads somewhere", async () => {
    const { status, type, text } = await textAt("/llms.txt");
    expect([status, type]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(text).toMatch(/^# Partner API\n\n> The API acts for one organization/);
    const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, link]) => link as string);
    expect(links.length).toBe(operations.length + 4);
    for (const link of links) expect((await textAt(link)).status, link).toBe(200);
  });

  it.each(operations)("describe $call", async ({ call: called, operationId, summary }) => {
    const { status, type, text } = await textAt(`/docs/${operationId}.md`);
    expect([status, type]).toEqual([200, "text/markdown; charset=utf-8"]);
    expect(text.startsWith(`# ${summary}\n\n\`${called}\``)).toBe(true);
    expect(text).toContain("| 401 |  | The token is missing, malformed, unknown or revoked |");
    expect(text).not.toMatch(/undefined|\[object/);
  });

  it.each([
    ["/llms.txt", "llms.txt"],
    ...["createTimeEntry", "getDeliverableVersionImage", "legacyListClients", "listInvoices"].map((name) => [
      `/docs/${name}.md`,
      `${name}.md`,
    ]),
  ])("are as approved: %s", async (path, file) => {
    await expect((await textAt(path)).text).toMatchFileSnapshot(`./documents/${file}`);
  });

  it("show the fields of an answer with their types, also inside lists", async () => {
    const { text } = await textAt("/docs/getInvoice.md");
    expect(text).toContain("| `amount_due` | number | yes |");
    expect(text).toContain("| `line_items[].time_entry_id` | string (uuid) or null | yes |");
  });

  it("describe every event, with its fields and an example", async () => {
    const { text } = await textAt("/docs/events.md");
    for (const event of Object.keys(openapi.webhooks)) {
      expect(text).toContain(`## ${event}\n`);
      expect(text).toContain(`"event": "${event}"`);
    }
    expect(text).toContain("| `data.amount_received` | number | yes |");
  });
});
