const requestIds = new WeakMap<object, string>();

/** The `X-Request-Id` of a record, page or result. Include it when you contact support. */
export const requestIdOf = (answer: object): string | undefined => requestIds.get(answer);

export function keepRequestId(answer: object, { headers }: Response): void {
  const id = headers.get("x-request-id");
  if (id !== null) requestIds.set(answer, id);
}
