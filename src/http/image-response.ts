import { type Refusal, refuse } from "../contract/refusal.ts";
import { report } from "../platform/log.ts";
import { type ImageRange, type ReadImage, readImage } from "../platform/read-image.ts";

/** Streams a stored image, with support for ranges and 304s (RFC 9110, 13 and 14). */
export async function imageResponse(
  images: R2Bucket,
  asset: { path: string; contentType: string; sha256: string },
  requestHeaders: Headers,
): Promise<Response | Refusal> {
  const tag = `"${asset.sha256}"`;
  const headers = { ETag: tag, "Accept-Ranges": "bytes" };
  if (names(requestHeaders.get("if-none-match"), tag)) return new Response(null, { status: 304, headers });
  const range = rangeOf(requestHeaders, tag);
  try {
    return answer(await readImage(images, asset.path, range), headers, asset.contentType, range);
  } catch (error) {
    report({ reading: asset.path }, error);
    return refuse("storage_unavailable", { isReading: true });
  }
}

function answer(
  image: ReadImage,
  headers: Record<string, string>,
  contentType: string,
  range?: ImageRange,
): Response | Refusal {
  if (image.state === "missing") return refuse("not_found");
  if (image.state === "not_satisfiable") {
    return refuse("range_not_satisfiable", {}, { "Content-Range": `bytes */${image.sizeBytes}` });
  }
  const { body, offset, lengthBytes, sizeBytes } = image;
  const part = range && { "Content-Range": `bytes ${offset}-${offset + lengthBytes - 1}/${sizeBytes}` };
  return new Response(body, {
    status: range ? 206 : 200,
    headers: { ...headers, ...part, "Content-Type": contentType, "Content-Length": String(lengthBytes) },
  });
}

/** Whether a list of entity tags includes this one. Uses weak comparison, as If-None-Match requires. */
const names = (list: string | null, tag: string): boolean =>
  list?.split(",").some((each) => ["*", tag].includes(each.trim().replace(/^W\//, ""))) ?? false;

/** Parses a single byte range. Anything else (invalid, several ranges, a different version) returns the whole image. */
function rangeOf(requestHeaders: Headers, tag: string): ImageRange | undefined {
  const condition = requestHeaders.get("if-range");
  if (condition !== null && condition !== tag) return undefined;
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(requestHeaders.get("range") ?? "") ?? [];
  if (first === "") return last === "" ? undefined : { suffix: Number(last) };
  const offset = Number(first);
  if (last === "") return { offset };
  return Number(last) < offset ? undefined : { offset, length: Number(last) - offset + 1 };
}
