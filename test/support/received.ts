import { inject } from "vitest";
import type { RecordedRequest } from "./receivers/recorder.ts";

/** What the receivers got under a path (with its query), oldest first, with the raw body as text. */
export async function received(path: string): Promise<(RecordedRequest & { body: string })[]> {
  const url = `${inject("receivers").http}/__requests?path=${encodeURIComponent(path)}`;
  const requests = await (await fetch(url)).json<RecordedRequest[]>();
  return requests.map((request) => ({
    ...request,
    body: Buffer.from(request.bodyBase64, "base64").toString(),
  }));
}
