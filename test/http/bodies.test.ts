import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { limits } from "../../src/contract/limits.ts";
import { mayBeEmpty } from "../../src/http/read-body.ts";
import type { WriteRoute } from "../../src/http/route.ts";
import { baseUrl, call } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { ask, keyedRoutes, successOf, validRequest, writeRoutes } from "../support/requests.ts";
import { rowCounts } from "../support/rows.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

const notJson = { error: "The body is not valid JSON" };
const notSentAsJson = { error: "Content-Type must be application/json" };

const optionalFields = (body: unknown) =>
  body instanceof z.ZodObject
    ? Object.entries(body.shape)
        .filter(([, field]) => field instanceof z.ZodOptional || field instanceof z.ZodDefault)
        .map(([name]) => name)
    : [];

const writes = writeRoutes.map(({ name, route }) => ({ name, route: route as WriteRoute }));
const versions = "/api-v1/deliverables/{id}/versions";

const send = ({ token }: Workspace, path: string, body: BodyInit, headers: Record<string, string>) =>
  exports.default.fetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: {
      apikey: env.GATEWAY_PUBLIC_KEY,
      authorization: `Bearer ${token}`,
      "idempotency-key": "key",
      ...headers,
    },
    body,
  });

describe.each(writes)("$name", ({ route }) => {
  it("rejects a body that is not JSON, and stores nothing [R9]", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const { path, body } = validRequest(route, records);
    const before = await rowCounts(workspace);
    const texts = [
      ...(mayBeEmpty(route.body) ? [] : [""]),
      "{",
      "undefined",
      "{'a': 1}",
      `${JSON.stringify(body)}x`,
      "NaN",
      "\u{feff}\u{feff}{}",
    ];
    for (const text of texts) {
      const answer = await call(workspace, path, { method: "POST", body: text, key: "key" });
      expect([text, answer.status, await answer.json()]).toEqual([text, 400, notJson]);
    }
    expect(await rowCounts(workspace)).toEqual(before);
  });

  it("rejects a body with a Content-Encoding and names the encoding [R9]", async () => {
    const workspace = await makeWorkspace();
    const { path, body } = validRequest(route, await makeRecords(workspace));
    const json = { "content-type": "application/json" };
    const before = await rowCounts(workspace);
    for (const encoding of ["gzip", "br", "gzip, identity"]) {
      const answer = await send(workspace, path, JSON.stringify(body), {
        ...json,
        "content-encoding": encoding,
      });
      expect([answer.status, await answer.json(), answer.headers.get("accept-encoding")]).toEqual([
        415,
        { error: `Content-Encoding ${encoding} is not supported. Send the body uncompressed` },
        "identity",
      ]);
    }
    expect(await rowCounts(workspace)).toEqual(before);
    const plain = await send(workspace, path, JSON.stringify(body), {
      ...json,
      "content-encoding": "identity",
    });
    expect(plain.status).toBe(successOf(route));
  });

  it("rejects a Content-Type other than JSON [R9]", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const { path, body } = validRequest(route, records);
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "json",
    ]) {
      const headers = { "content-type": type };
      const answer = await call(workspace, path, { body: JSON.stringify(body), key: "key", headers });
      expect([type, answer.status, await answer.json()]).toEqual([type, 400, notSentAsJson]);
    }
    if (mayBeEmpty(route.body)) return;
    const without = await call(workspace, path, { method: "POST", key: "key" });
    expect([without.status, await without.json()]).toEqual([400, notSentAsJson]);
  });

  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON",
    "application/json;charset=UTF-8",
  ])("accepts %s", async (type) => {
    const workspace = await makeWorkspace();
    const answer = await ask(route, workspace, { headers: { "content-type": type } });
    expect(answer.status).toBe(successOf(route));
  });

  it("rejects a JSON body that is not an object", async () => {
    const workspace = await makeWorkspace();
    const { path } = validRequest(route, await makeRecords(workspace));
    for (const text of ["null", "[]", '"text"', "1", "true"]) {
      const answer = await call(workspace, path, { method: "POST", body: text, key: crypto.randomUUID() });
      const { error } = (await answer.json()) as { error: string };
      expect([text, answer.status]).toEqual([text, 400]);
      expect(error).not.toBe("");
    }
  });
});

/** A JavaScript stream, because the platform sends a Content-Length for a Blob's stream. */
const streamed = (text: string) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; at += 65_536) controller.enqueue(bytes.slice(at, at + 65_536));
      controller.close();
    },
  });

describe.each(writes.filter(({ route }) => mayBeEmpty(route.body) && route.path !== "/api-v1/clients"))(
  "$name",
  ({ route }) => {
    it.each<Record<string, string>>([
      {},
      { "content-type": "application/json" },
      { "content-type": "text/plain" },
    ])("treats a missing body as {}, whatever the headers: %j", async (headers) => {
      const workspace = await makeWorkspace();
      const { path } = validRequest(route, await makeRecords(workspace));
      const answer = await call(workspace, path, { method: "POST", key: "key", headers });
      expect(answer.status).toBe(successOf(route));
      const streamedNone = await send(workspace, path, streamed(""), headers);
      for (const again of [streamedNone, await call(workspace, path, { body: {}, key: "key" })])
        expect([again.status, await again.json()]).toMatchObject([200, { idempotent_replay: true }]);
    });
  },
);

describe("the size limit for a body", () => {
  const json = { "content-type": "application/json" };
  const most = 3 * 1024 * 1024;
  const ofBytes = (bytes: number) => `{"client_name":"Ada"${" ".repeat(bytes - 21)}}`;
  it.each([
    ["declared", (text: string) => text],
    ["streamed", streamed],
  ])("is exactly 3 MB if the body is %s", async (_, sent) => {
    const workspace = await makeWorkspace();
    for (const [bytes, status] of [
      [most, 201],
      [most + 1, 413],
    ] as const) {
      const answer = await send(workspace, "/api-v1/clients", sent(ofBytes(bytes)), json);
      expect([bytes, answer.status]).toEqual([bytes, status]);
    }
  });

  it("rejects a body that is not UTF-8", async () => {
    const workspace = await makeWorkspace();
    const answer = await send(
      workspace,
      "/api-v1/clients",
      Buffer.from('{"client_name":"Ad\xff"}', "latin1"),
      json,
    );
    expect([answer.status, await answer.json()]).toEqual([400, notJson]);
  });
});

it("POST /api-v1/clients reports a missing field, not invalid JSON, for a missing body", async () => {
  const answer = await call(await makeWorkspace(), "/api-v1/clients", { method: "POST", key: "key" });
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { error: "company_name or client_name is required" },
  ]);
});

const tooExact = ["12345678901234567890", "1e400", "0.1000000000000000055"];

describe.each(writes)("$name", ({ route }) => {
  it.each(tooExact)(
    "rejects a number that JavaScript would round, except in an unknown field on the legacy route: %s [R11]",
    async (number) => {
      const workspace = await makeWorkspace();
      const records = await makeRecords(workspace);
      const { path, body } = validRequest(route, records);
      const before = await rowCounts(workspace);
      const text = `${JSON.stringify(body).slice(0, -1)},"line_items":[{"unit_price":${number}}]}`;
      const answer = await call(workspace, path, { body: text, key: "key" });
      // The legacy route ignores unknown fields, whatever they contain.
      if (route.path === "/api-create-deliverable") return expect(answer.status).toBe(201);
      const error = "line_items.0.unit_price cannot be represented exactly";
      expect([answer.status, await answer.json()]).toEqual([400, { error }]);
      expect(await rowCounts(workspace)).toEqual(before);
    },
  );

  it("rejects a repeated field, even with the same value [R7]", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const { path, body = {} } = validRequest(route, records);
    const before = await rowCounts(workspace);
    const [[field, value] = []] = Object.entries(body);
    const text = `{"${field}":${JSON.stringify(value)},${JSON.stringify(body).slice(1)}`;
    const answer = await call(workspace, path, { body: text, key: "key" });
    const error = `${field} is repeated`;
    expect([answer.status, await answer.json()]).toEqual([400, { error }]);
    expect(await rowCounts(workspace)).toEqual(before);
  });

  it("rejects a repeated name inside a field, except in an unknown field on the legacy route", async () => {
    const workspace = await makeWorkspace();
    const { path, body } = validRequest(route, await makeRecords(workspace));
    const text = `${JSON.stringify(body).slice(0, -1)},"x":[{"a":1,"\\u0061":2}]}`;
    const answer = await call(workspace, path, { body: text, key: "key" });
    if (route.path === "/api-create-deliverable") return expect(answer.status).toBe(201);
    expect([answer.status, await answer.json()]).toEqual([400, { error: "x.0.a is repeated" }]);
  });

  it("rejects a query parameter, except on the legacy route", async () => {
    const workspace = await makeWorkspace();
    const { path, body } = validRequest(route, await makeRecords(workspace));
    const answer = await call(workspace, `${path}?color=red`, { body, key: "key" });
    if (route.path === "/api-create-deliverable") expect(answer.status).toBe(201);
    else expect([answer.status, await answer.json()]).toEqual([400, { error: "color is not a known field" }]);
  });
});

describe.each(writes.filter(({ route }) => route.path !== versions && route.idempotent))(
  "$name",
  ({ route }) => {
    it("treats null as absent in every optional field [R10]", async () => {
      const workspace = await makeWorkspace();
      const records = await makeRecords(workspace);
      const { path, body = {} } = validRequest(route, records);
      const absent = optionalFields(route.body).filter((name) => !(name in body));
      const nulls = Object.fromEntries(absent.map((name) => [name, null]));
      const answer = await call(workspace, path, { body: { ...body, ...nulls }, key: "key" });
      expect(answer.status).toBe(successOf(route));
      const again = await call(workspace, path, { body, key: "key" });
      expect([again.status, await again.json()]).toMatchObject([200, { idempotent_replay: true }]);
    });
  },
);

it("null counts as absent inside milestones and line items, except in required fields", async () => {
  const workspace = await makeWorkspace();
  const { client_id } = await makeRecords(workspace);
  const milestones = [{ name: "Concept", due_date: null, amount: null }];
  const project = { client_id, name: "Website", milestones };
  expect((await call(workspace, "/api-v1/projects", { body: project, key: "1" })).status).toBe(201);
  const line_items = [
    { description: "Concept", quantity: 1, unit_price: 1, tax_rate: null, time_entry_id: null },
  ];
  const invoice = { client_id, line_items };
  expect((await call(workspace, "/api-v1/invoices", { body: invoice, key: "2" })).status).toBe(201);
  const nameless = await call(workspace, "/api-v1/projects", { body: { client_id, name: null }, key: "3" });
  expect([nameless.status, await nameless.json()]).toEqual([400, { error: "name must be a string" }]);
});

it("a version rejects null, because an absent field means unchanged [V12]", async () => {
  const workspace = await makeWorkspace();
  const { deliverable_id } = await makeRecords(workspace);
  for (const field of ["title", "embed_url", "image_base64", "note"]) {
    const path = `/api-v1/deliverables/${deliverable_id}/versions`;
    const answer = await call(workspace, path, { body: { [field]: null }, key: field });
    expect([field, answer.status]).toEqual([field, 400]);
  }
});

describe.each(writeRoutes.filter(({ route }) => !route.path.startsWith("/api-create-")))(
  "$name",
  ({ route }) => {
    it("rejects an unknown field with a 400 that names it [R7]", async () => {
      const workspace = await makeWorkspace();
      const records = await makeRecords(workspace);
      const { body } = validRequest(route, records);
      for (const field of ["nonsense", "id", "created_at", "organization_id", "__proto__"]) {
        const text = `${JSON.stringify(body).slice(0, -1)}${Object.keys(body ?? {}).length ? "," : ""}"${field}":"x"}`;
        const answer = await ask(route, workspace, { body: text }, records);
        expect([field, answer.status, await answer.json()]).toEqual([
          field,
          400,
          { error: `${field} is not a known field` },
        ]);
      }
    });
  },
);

describe.each(keyedRoutes)("$name", ({ route }) => {
  it("requires an Idempotency-Key of 1 to 200 characters [I1]", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const { path, body } = validRequest(route, records);
    const text = { error: "Idempotency-Key is required (1-200 characters)" };
    for (const key of [undefined, "", "x".repeat(limits.idempotencyKeyCharacters + 1)]) {
      const answer = await call(workspace, path, { method: "POST", body, key });
      expect([key?.length, answer.status, await answer.json()]).toEqual([key?.length, 400, text]);
    }
    const longest = await call(workspace, path, { body, key: "x".repeat(limits.idempotencyKeyCharacters) });
    expect(longest.status).toBe(successOf(route));
  });
});

it.each([
  ["🎈".concat("x".repeat(199)), 201, undefined],
  ["🎈".concat("x".repeat(200)), 400, "Idempotency-Key is required (1-200 characters)"],
  // What both "Müller" and "Möller" become when a client sends them in Latin-1.
  ["M\uFFFDller", 400, "Idempotency-Key must be ASCII or UTF-8 text"],
])(
  "an Idempotency-Key is read as UTF-8 and its characters are counted, not its bytes: %j returns %i",
  async (key, status, error) => {
    const answer = await call(await makeWorkspace(), "/api-v1/clients", {
      body: { client_name: "Ada" },
      key,
    });
    expect([answer.status, (await answer.json<{ error?: string }>()).error]).toEqual([status, error]);
  },
);

const ofClients = writes.filter(
  ({ route }) => route.body instanceof z.ZodObject && "client_id" in route.body.shape,
);

describe.each(ofClients)("$name", ({ route }) => {
  it.each([undefined, null, "", 5, true, {}])(
    "reports the client_id %j as missing [E6]",
    async (client_id) => {
      const workspace = await makeWorkspace();
      const records = await makeRecords(workspace);
      const { body } = validRequest(route, records);
      const answer = await ask(route, workspace, { body: { ...body, client_id } }, records);
      expect([answer.status, await answer.json()]).toEqual([400, { error: "client_id is required" }]);
    },
  );
});

it("five routes require a client", () => {
  expect(ofClients.map(({ route }) => route.path).sort()).toEqual([
    "/api-create-deliverable",
    "/api-ingest-request",
    "/api-v1/deliverables",
    "/api-v1/invoices",
    "/api-v1/projects",
  ]);
});

/** Single-line fields, by route. */
const oneLineFields: [path: string, field: string][] = [
  ["/api-v1/clients", "company_name"],
  ["/api-v1/clients", "client_name"],
  ["/api-v1/clients", "external_id"],
  ["/api-v1/projects", "name"],
  ["/api-v1/projects", "external_id"],
  ["/api-v1/invoices", "external_id"],
  [versions, "title"],
  ["/api-ingest-request", "author_name"],
  ["/api-ingest-request", "author_address"],
  ["/api-ingest-request", "external_id"],
];

it.each(oneLineFields)("%s rejects control characters in %s", async (path, field) => {
  const workspace = await makeWorkspace();
  const records = await makeRecords(workspace);
  const route = writes.find((each) => each.route.path === path)?.route as WriteRoute;
  for (const steering of [
    "\n",
    "\u0001",
    "\u001b[2J",
    "\u007f",
    "\u202a",
    "\u202e",
    "\u2066",
    "\u2069",
    "\u2028",
    "\ufffe",
  ]) {
    const { body } = validRequest(route, records);
    const answer = await ask(route, workspace, { body: { ...body, [field]: `a${steering}b` } }, records);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: `${field} must be one line without control characters` },
    ]);
  }
});

it.each(oneLineFields)("%s accepts combining marks, joiners and tabs in %s [T5]", async (path, field) => {
  const workspace = await makeWorkspace();
  const records = await makeRecords(workspace);
  const route = writes.find((each) => each.route.path === path)?.route as WriteRoute;
  const { body } = validRequest(route, records);
  const words = "(אבג)\u200e \u061c\u200fא می\u200cخواهم 👩\u200d💻";
  const sent = { ...body, [field]: `${words}\t!` };
  const answer = await ask(route, workspace, { body: sent }, records);
  expect([answer.status, await answer.json()]).toEqual([
    201,
    expect.objectContaining({ [field]: `${words} !` }),
  ]);
});

/** Multi-line fields, each with a function that returns a body containing the given text. */
const paragraphs: [path: string, field: string, body: (text: string) => object][] = [
  ["/api-v1/projects", "description", (description) => ({ description })],
  ["/api-v1/time-entries", "description", (description) => ({ description })],
  ["/api-v1/invoices", "notes", (notes) => ({ notes })],
  [
    "/api-v1/invoices",
    "line_items.0.description",
    (description) => ({ line_items: [{ description, quantity: 1, unit_price: 1 }] }),
  ],
  [versions, "note", (note) => ({ note })],
  ["/api-v1/deliverables/{id}/send", "message", (message) => ({ message })],
];

it.each(paragraphs)(
  "%s keeps line breaks and tabs in %s, and rejects control characters [T5]",
  async (...of) => {
    const [path, field, bodyOf] = of;
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const route = writes.find((each) => each.route.path === path)?.route as WriteRoute;
    const send = (text: string) => {
      const { body } = validRequest(route, records);
      return ask(route, workspace, { body: { ...body, ...bodyOf(text) } }, records);
    };
    for (const control of ["\0", "\u0001", "\u001b", "\u007f", "\u0085", "\ufffe", "\u{1ffff}"]) {
      const answer = await send(`a${control}b`);
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: `${field} must be Unicode text without control characters` },
      ]);
    }
    const kept = "a\r\n\tb\n\u202ec";
    const answer = await send(kept);
    expect([200, 201]).toContain(answer.status);
    if (field !== "message") expect(JSON.stringify(await answer.json())).toContain(JSON.stringify(kept));
  },
);

const invisible = [
  ..."\u200b\u2060\u3164\u2800\u180e\u00ad\u034f\ufe0f\u{e0020}\u200d\u200e\u061c\u115f\uffa0\ufeff\u2003",
];

it("a string without visible characters counts as empty [T13]", async () => {
  const workspace = await makeWorkspace();
  const records = await makeRecords(workspace);
  const refused = async (path: string, fields: object) => {
    const route = writes.find((each) => each.route.path === path)?.route as WriteRoute;
    const { body } = validRequest(route, records);
    const answer = await ask(route, workspace, { body: { ...body, ...fields } }, records);
    return [answer.status, ((await answer.json()) as { error?: string }).error];
  };
  for (const empty of [...invisible, ` ${invisible.join(" ")}\t`]) {
    expect(await refused("/api-v1/projects", { name: empty })).toEqual([
      400,
      "name must have 1 to 200 characters",
    ]);
    expect(await refused("/api-v1/deliverables", { title: empty })).toEqual([
      400,
      "title is required (1-200 chars)",
    ]);
    expect(await refused("/api-create-deliverable", { title: empty })).toEqual([
      400,
      "title is required (1-200 chars)",
    ]);
  }
  const empty = invisible.join("");
  expect(await refused("/api-v1/clients", { company_name: empty, client_name: empty })).toEqual([
    400,
    "company_name or client_name is required",
  ]);
  expect((await refused("/api-ingest-request", { content: empty }))[0]).toBe(400);
  const project = await ask(
    writes.find((each) => each.route.path === "/api-v1/projects")?.route as WriteRoute,
    workspace,
    { body: { client_id: records.client_id, name: `\u2060Shop`, description: empty } },
    records,
  );
  expect(await project.json()).toMatchObject({ name: "\u2060Shop", description: null });
});

it("control characters in evidence are stored unchanged", async () => {
  const workspace = await makeWorkspace();
  const records = await makeRecords(workspace);
  const route = writes.find((each) => each.route.path === "/api-ingest-request")?.route as WriteRoute;
  const { body } = validRequest(route, records);
  const given = { content: "\u001b[2Jpay\u0001\u202e\ufffe", metadata: { raw: "\u0000\u001b" } };
  const answer = await ask(route, workspace, { body: { ...body, ...given } }, records);
  expect(await answer.json()).toMatchObject(given);
});

it("a body nested deeper than 64 levels or with a long unknown field gets a short 400", async () => {
  const workspace = await makeWorkspace();
  const send = async (body: string) => {
    const answer = await call(workspace, "/api-v1/clients", { body, key: "key" });
    return [answer.status, ((await answer.json()) as { error: string }).error];
  };
  const deep = `{"client_name": ${"[".repeat(1_400_000)}${"]".repeat(1_400_000)}}`;
  expect(await send(deep)).toEqual([400, "The body must be nested at most 64 levels deep"]);
  const [status, error] = await send(JSON.stringify({ ["x".repeat(2_800_000)]: 1 }));
  expect([status, String(error).length]).toEqual([400, 200 + " is not a known field".length]);
  const query = await call(workspace, `/api-v1/clients?${"x".repeat(5_000)}=1`);
  expect(String(((await query.json()) as { error: string }).error).length).toBeLessThan(250);
});
