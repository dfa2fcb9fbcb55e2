/**
 * A form's id identifies one filled form, so that a form submitted twice does its work once. It also contains
 * the number of change requests that its reader saw, so that no one signs off work that was sent back a moment
 * earlier.
 */
export const newFormId = (changeRequestsSeen: number): string =>
  `${changeRequestsSeen}.${crypto.randomUUID()}`;

/** 0 for an id without that number. */
export const changeRequestsSeen = (formId: string): number => Number(/^(\d{1,9})\./.exec(formId)?.[1] ?? 0);
