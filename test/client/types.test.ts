import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  answerType,
  bodyType,
  compilerErrors,
  type Sample,
  typeTest,
} from "../../client/scripts/type-test.ts";
import { root } from "./installed.ts";

interface Media {
  content?: { "application/json"?: { examples?: Record<string, { value: unknown }> } };
}
interface Operation {
  operationId: string;
  requestBody?: Media;
  responses: Record<string, Media & { $ref?: string }>;
}

const document = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"));
const paths: Record<string, Record<string, Operation>> = document.paths;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

const valuesOf = (media: Media | undefined): unknown[] =>
  Object.values(media?.content?.["application/json"]?.examples ?? {}).map(({ value }) => value);

const resolved = (response: Media & { $ref?: string }): Media =>
  response.$ref ? document.components.responses[response.$ref.split("/").at(-1) ?? ""] : response;

function samplesOf({ path, method, operation }: (typeof operations)[number]): Sample[] {
  const bodies = valuesOf(operation.requestBody).map((value) => ({ type: bodyType(path, method), value }));
  const answers = Object.entries(operation.responses).flatMap(([status, response]) =>
    valuesOf(resolved(response)).map((value) => ({ type: answerType(path, method, status), value })),
  );
  return [...bodies, ...answers];
}

async function errorsOf(samples: Sample[]): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "types-"));
  const file = join(directory, "samples.ts");
  writeFileSync(file, typeTest(samples));
  const errors = await compilerErrors(file);
  rmSync(directory, { recursive: true });
  return errors;
}

describe("the client's types", () => {
  it("accept every documented body, response and event", async () => {
    const events = Object.values(document.webhooks).flatMap((event) =>
      valuesOf((event as { post: Operation }).post.requestBody).map((value) => ({
        type: "WebhookEvent",
        value,
      })),
    );
    const samples = operations.map(samplesOf);
    expect(samples.filter(({ length }) => length < 2)).toEqual([]);
    expect(events.length).toBe(Object.keys(document.webhooks).length);
    expect(await errorsOf([...samples.flat(), ...events])).toBe("");
  });

  it("reject a field of the wrong type, an unknown field and a missing field", async () => {
    const client = valuesOf(resolved(paths["/api-v1/clients"]?.post?.responses["201"] ?? {}))[0] as object;
    const type = answerType("/api-v1/clients", "post", 201);
    const { id: _, ...without } = client as { id: string };
    for (const value of [{ ...client, is_sample: "no" }, { ...client, more: 1 }, without]) {
      expect(await errorsOf([{ type, value }]), JSON.stringify(value)).toContain("error TS");
    }
  });
});
