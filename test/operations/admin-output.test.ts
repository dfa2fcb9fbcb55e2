import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { adminCommand } from "../../scripts/admin/command.ts";
import type { openAdmin } from "../../scripts/admin/connection.ts";
import { announce, stateAt } from "../../scripts/local/state.ts";
import type { AdminOutcome } from "../../src/operations/admin.ts";
import { openPort } from "../support/open-port.ts";
import { outputOf, withLabels } from "../support/transcript.ts";
import { stateDirectory } from "./service.ts";

/** The requests and output of `npm run admin`, compared with the approved files in admin-output/. */

const [state, nowhere] = [stateDirectory(), stateDirectory()];
const service = createServer((_, response) => response.end("{}"));

beforeAll(async () => {
  announce(stateAt(state.directory), {
    base_url: await openPort(service),
    apikey: "pk",
    token: "svc",
    organization: "demo",
    stripe_webhook_secret: "whsec",
  });
});
afterAll(async () => {
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
  state.remove();
  nowhere.remove();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

type Answer = object | { refused: string; hint: string | null } | Error;

async function shown(line: string, answers: readonly Answer[] = [], { directory } = state): Promise<string> {
  vi.stubEnv("STATE_DIR", directory);
  const rest = answers.values();
  const done: string[] = [];
  const run = async (operation: string, fields: Record<string, unknown>): Promise<AdminOutcome> => {
    done.push(`asked ${operation} ${JSON.stringify(fields)}`);
    const answer = rest.next().value ?? {};
    if (answer instanceof Error) throw answer;
    if ("refused" in answer) return { ok: false, message: answer.refused, hint: answer.hint };
    return { ok: true, result: answer };
  };
  const open: typeof openAdmin = async (_, environment) => {
    done.push(`opened ${environment ?? "this machine"}`);
    return {
      run,
      close: async () => {
        done.push("closed");
      },
    };
  };
  const operatorOf = async (environment?: string) => (environment ? "kim@lumen.example" : "kim@desk");
  const words = line.split(" ").map((word) => word.replace("OUT", join(directory, "out")));
  let code = 0;
  const printed = await outputOf(async () => {
    code = await adminCommand(words, open, operatorOf);
  });
  const text = [`$ npm run admin -- ${line}`, ...done, printed, `exit ${code}`].filter(Boolean).join("\n");
  return withLabels(text, { [directory]: "[state]" });
}

const approved = (file: string, texts: readonly string[]) =>
  expect(`${texts.join("\n\n")}\n`).toMatchFileSnapshot(`./admin-output/${file}.txt`);

/** Contains a character that reverses the text direction, which is escaped except in JSON output. */
const turned = "Acme\u202egnp";

describe("npm run admin", () => {
  it("prints the approved results, as text and as JSON", async () => {
    const endpoint = {
      id: "6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b",
      description: null,
      events: ["money", "delivery"],
      health: { state: "failing", since: null },
      attempt_log: [
        { number: 1, response_status: 500, error: null },
        { number: 2, response_status: null, error: "timeout" },
      ],
      deliveries: [],
      name: turned,
    };
    const rows = [
      { id: "a", name: "Ida", note: null },
      { id: "bcd", name: turned, note: "x", count: 8 },
    ];
    await approved("results", [
      await shown("show-webhook-endpoint --id 1", [endpoint]),
      await shown("show-webhook-endpoint --id 1 --json", [endpoint]),
      await shown("list-members", [rows]),
      await shown("list-members --json", [rows]),
      await shown("list-members", [[]]),
      await shown("list-members --organization fern --env production", [[]]),
      await shown("list-members --env production --json", [[]]),
      await shown("create-client --company-name=A=B --", [{ name: "A=B" }]),
    ]);
  });

  it("prints the approved errors, as text and as JSON", async () => {
    const refused = { refused: `nam is not a known field ${turned}`, hint: "fields: name, owner_email" };
    await approved("refusals", [
      await shown("create-organization --nam x", [refused]),
      await shown("create-organization --nam x --json", [refused]),
      await shown("list-members", [new Error("socket hang up")]),
      await shown("list-members --env production", [new Error("not logged in")]),
      await shown("list-members --json", [new Error("socket hang up")]),
      await shown("list-members", [], nowhere),
      await shown("list-members --json", [], nowhere),
      await shown("list-members --env production --json", [{ refused: "no", hint: null }], nowhere),
      await shown("list-members --out OUT"),
      await shown("list-members now"),
      await shown("nosuch --help --json").then((text) => text.replace(/one of [^"]*/, "one of [operations]")),
      await shown("--json"),
    ]);
  });

  it("prints the approved output of operations in steps, with progress on stderr", async () => {
    const part = (file: string, text: string, rows: number, next: string | null) => ({
      files: [{ file, text }],
      rows,
      next,
    });
    const image = (file: string, images: number, next: string | null) => ({
      files: [{ file, base64: btoa("PNG") }],
      images,
      next,
    });
    const steps = [
      part("clients.jsonl", "1\n", 1, "b"),
      part("clients.jsonl", "2\n", 1, "c"),
      part("projects.jsonl", "3\n", 1, "d"),
      part("invoices.jsonl", "", 0, "e"),
      image("images/a/1.png", 1, "f"),
      image("images/a/2.png", 1, null),
    ];
    await approved("steps", [
      await shown("export-organization", steps.slice(0, 1)),
      await shown("export-organization --out OUT", steps),
      await shown("export-organization --out OUT", steps),
      await shown("export-organization --out OUT/clients.jsonl --json", steps),
      await shown("replay-webhook-deliveries --endpoint e", [
        { matched: 2001, replayed: 2000 },
        { matched: 1, replayed: 1 },
      ]),
      await shown("replay-webhook-deliveries --endpoint e --limit 5 --json", [{ matched: 9, replayed: 5 }]),
    ]);
  });

  it("prints the approved help", async () => {
    await approved("help", [
      await shown("export-organization --help", [], nowhere),
      await shown("-h create-client", [], nowhere),
      await shown("help list-webhook-deliveries", [], nowhere),
    ]);
  });
});
