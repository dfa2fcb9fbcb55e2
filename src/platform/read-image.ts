/** The requested part of an image; R2 reads only this part. */
export type ImageRange = { offset: number; length?: number } | { suffix: number };

/** R2's code for a range outside the object. */
const notSatisfiable = /\b10039\b|range is not satisfiable/i;

export type ReadImage =
  | { state: "found"; body: ReadableStream; sizeBytes: number; offset: number; lengthBytes: number }
  | { state: "not_satisfiable"; sizeBytes: number }
  | { state: "missing" };

/** Opens an image or part of it as a stream. */
export async function readImage(images: R2Bucket, path: string, range?: ImageRange): Promise<ReadImage> {
  try {
    const object = await images.get(path, range ? { range } : {});
    if (!object) return { state: "missing" };
    const { size: sizeBytes, body } = object;
    const first = range && ("suffix" in range ? Math.max(0, sizeBytes - range.suffix) : range.offset);
    const offset = first ?? 0;
    const rest = sizeBytes - offset;
    const lengthBytes = range && "offset" in range ? Math.min(range.length ?? rest, rest) : rest;
    return { state: "found", body, sizeBytes, offset, lengthBytes };
  } catch (error) {
    if (!range || !notSatisfiable.test(String(error))) throw error;
    const object = await images.head(path);
    return object ? { state: "not_satisfiable", sizeBytes: object.size } : { state: "missing" };
  }
}
