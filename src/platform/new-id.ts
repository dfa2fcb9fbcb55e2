/** Creates a UUID version 7 (RFC 9562). It ascends with time, so rows created together are adjacent in every index. */
export function newId(): string {
  const random = crypto.randomUUID();
  const milliseconds = Date.now().toString(16).padStart(12, "0");
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7${random.slice(15)}`;
}
