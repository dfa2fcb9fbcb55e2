/**
 * Creates a form id, so that a form submitted twice does its work once. The id contains the number of change requests
 * that the page showed, so that work cannot be signed off with a change request that the signer has not seen.
 */
export const newFormId = (changeRequestsSeen: number): string =>
  `${changeRequestsSeen}.${crypto.randomUUID()}`;

/** Returns 0 if the id doesn't contain the number. */
export const changeRequestsSeen = (formId: string): number => Number(/^(\d{1,9})\./.exec(formId)?.[1] ?? 0);
