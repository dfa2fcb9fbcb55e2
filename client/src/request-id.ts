const requestIds = new WeakMap<object, string>();

/** The `X-Request-Id` of a record, a page or a result: quote it when you ask about it. */
export const requestIdOf = (answer: object): string | undefined => requestIds.get(answer);

export function keepRequestId(answer: object, { headers }: Response): void {
  const id = headers.get("x-request-id");
  if (id !== null) requestIds.set(answer, id);
}
