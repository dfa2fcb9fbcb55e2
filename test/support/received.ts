import { inject } from "vitest";
import type { RecordedRequest } from "./receivers/recorder.ts";

/** The requests that the receivers got for a path with its query, oldest first, with their raw bodies. */
export async function received(path: string): Promise<(RecordedRequest & { body: string })[]> {
  const url = `${inject("receivers").http}/__requests?path=${encodeURIComponent(path)}`;
  const requests = await (await fetch(url)).json<RecordedRequest[]>();
  return requests.map((request) => ({
    ...request,
    body: Buffer.from(request.bodyBase64, "base64").toString(),
  }));
}
