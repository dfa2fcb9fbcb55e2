/** Reads a body as text. Returns null if it is longer than `maximumBytes`, without reading the rest. */
export async function readText({ body }: Request, maximumBytes: number): Promise<string | null> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > maximumBytes) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}
