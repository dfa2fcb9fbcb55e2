/**
 * Creates the id of a form, so that a form submitted twice does its work once. The id contains the number of change
 * requests that the page showed, so that no one signs off work with a change request they have not seen.
 */
export const newFormId = (changeRequestsSeen: number): string =>
  `${changeRequestsSeen}.${crypto.randomUUID()}`;

/** 0 for an id without that number. */
export const changeRequestsSeen = (formId: string): number => Number(/^(\d{1,9})\./.exec(formId)?.[1] ?? 0);
