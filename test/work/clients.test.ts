import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call, post } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { seed } from "../support/seed.ts";
import { makeWorkspace } from "../support/workspace.ts";

type Fields = Record<string, unknown>;

const path = "/api-v1/clients";
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const created = async (body: Fields, workspace?: { token: string }) => {
  const answer = await post(workspace ?? (await makeWorkspace()), path, body);
  expect(answer.status).toBe(201);
  return answer.json<Fields>();
};

const refusal = async (body: Fields) => {
  const answer = await post(await makeWorkspace(), path, body);
  expect(answer.status).toBe(400);
  return (await answer.json<{ error: string }>()).error;
};

describe("POST /api-v1/clients", () => {
  it("returns 201 with the client in the form that the list returns [C1, C3]", async () => {
    const workspace = await makeWorkspace();
    const client = await created(
      { company_name: "Acme", client_name: "Mara", email: "mara@acme.example", external_id: "crm-1" },
      workspace,
    );
    expect(client).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Acme",
      company_name: "Acme",
      client_name: "Mara",
      email: "mara@acme.example",
      status: "active",
      is_sample: false,
      external_id: "crm-1",
      created_at: expect.stringMatching(timestamp),
      updated_at: client.created_at,
    });
    const list = await (await call(workspace, path)).json<{ data: Fields[] }>();
    expect(list.data).toEqual([client]);
  });

  it("returns company_name as the name, or client_name if company_name is empty [C2]", async () => {
    expect((await created({ company_name: "Acme", client_name: "Mara" })).name).toBe("Acme");
    expect((await created({ company_name: "Acme" })).name).toBe("Acme");
    const person = await created({ client_name: "Mara" });
    expect([person.name, person.company_name]).toEqual(["Mara", null]);
  });

  it("trims names and counts characters, not bytes", async () => {
    expect((await created({ company_name: "  Acme  " })).company_name).toBe("Acme");
    const longest = "🎈".repeat(200);
    expect((await created({ client_name: longest })).client_name).toBe(longest);
    expect(await refusal({ client_name: `${longest}x` })).toBe(
      "client_name must have at most 200 characters",
    );
  });

  it("requires company_name or client_name [C3]", async () => {
    expect(await refusal({})).toBe("company_name or client_name is required");
    expect(await refusal({ client_name: null })).toBe("company_name or client_name is required");
    expect(await refusal({ email: "mara@acme.example" })).toBe("company_name or client_name is required");
    expect(await refusal({ company_name: "" })).toBe("company_name or client_name is required");
  });

  it("treats a name that is empty after trimming as absent [T6]", async () => {
    const person = await created({ company_name: " \t ", client_name: "Mara" });
    expect([person.name, person.company_name]).toEqual(["Mara", null]);
  });

  it("accepts right-to-left marks and joiners in names, and treats a tab as a space [T5]", async () => {
    const names = ["\u200fאבג (ביתא)\u200e!", "ع\u061c1", "می\u200cخواهم", "👩\u200d💻"];
    for (const client_name of names) expect((await created({ client_name })).name).toBe(client_name);
    expect((await created({ client_name: "\tMara\tLind" })).name).toBe("Mara Lind");
  });

  it("returns an error that names the field for a wrong type", async () => {
    expect(await refusal({ client_name: 7 })).toMatch(/^client_name /);
    expect(await refusal({ client_name: "Mara", external_id: "x".repeat(201) })).toMatch(/^external_id /);
    expect(await refusal({ client_name: "a\u0000b" })).toMatch(/^client_name /);
  });

  it.each([
    "mara",
    "mara@",
    "@acme.example",
    "mara@acme",
    "ma ra@acme.example",
    "a@b.c\r\nBcc: x@y.z",
    `${"x".repeat(250)}@a.io`,
  ])("rejects %j as an e-mail address", async (email) => {
    expect(await refusal({ client_name: "Mara", email })).toBe(
      "email must be an e-mail address of at most 254 characters",
    );
  });

  it("cannot set status or is_sample", async () => {
    expect(await refusal({ client_name: "Mara", status: "archived" })).toBe("status is not a known field");
    expect(await refusal({ client_name: "Mara", is_sample: true })).toBe("is_sample is not a known field");
  });
});

describe("GET /api-list-clients", () => {
  it("returns active clients with only id and name, sorted by client_name [G1]", async () => {
    const workspace = await makeWorkspace();
    const mara = await created({ company_name: "Acme", client_name: "Mara" }, workspace);
    const ada = await created({ client_name: "Ada" }, workspace);
    const gone = await created({ client_name: "Bob" }, workspace);
    await env.DB.prepare("UPDATE clients SET status = 'archived' WHERE id = ?").bind(gone.id).run();
    const answer = await call(workspace, "/api-list-clients?limit=1&anything=ignored");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(await answer.json()).toEqual({
      clients: [
        { id: ada.id, name: "Ada" },
        { id: mara.id, name: "Acme" },
      ],
    });
  });

  it("sorts by letters first, then by accents and case", async () => {
    const workspace = await makeWorkspace();
    const inOrder = [
      "123 Studio",
      "aaa",
      "Ärzte",
      "Bäcker",
      "Emil",
      "Emile",
      "Émile",
      "emile B",
      "e\u0301milie",
      "Łódź",
      "Maße",
      "Masses",
      "o'neil",
      "Øre",
      "oslo",
      "zebra",
      "Zoë",
      "Жук",
      "яма",
    ];
    for (const [index, client_name] of inOrder.toReversed().entries()) {
      await created(
        index % 2 ? { client_name, company_name: "Acme" } : { company_name: client_name },
        workspace,
      );
    }
    const listed = async () => {
      const { clients } = await (await call(workspace, "/api-list-clients")).json<{
        clients: { id: string }[];
      }>();
      const { results } = await env.DB.prepare(
        "SELECT id, coalesce(client_name, company_name) AS name FROM clients WHERE organization_id = ?",
      )
        .bind(workspace.organizationId)
        .all<{ id: string; name: string }>();
      const names = new Map(results.map(({ id, name }) => [id, name]));
      return clients.map(({ id }) => names.get(id));
    };
    expect(await listed()).toEqual(inOrder);
    await env.DB.prepare(
      "UPDATE clients SET client_name = 'Zz' WHERE client_name = 'aaa' OR company_name = 'aaa'",
    ).run();
    expect((await listed()).slice(-4)).toEqual(["Zoë", "Zz", "Жук", "яма"]);
    await seed("clients", workspace, await makeRecords(workspace), 1, 510);
    expect((await listed()).slice(0, 3)).toEqual(["123 Studio", "Acme", "Ärzte"]);
  });

  it("returns at most 500 clients", async () => {
    const workspace = await makeWorkspace();
    await seed("clients", workspace, await makeRecords(workspace), 1, 510);
    const { clients } = await (await call(workspace, "/api-list-clients")).json<{
      clients: { name: string }[];
    }>();
    expect(clients).toHaveLength(500);
  });
});
