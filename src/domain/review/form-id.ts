/**
 * A form's id names one filled form, so that a form that is sent twice does its work once. It also tells how many
 * change requests its reader saw, so that nobody signs off what was sent back a moment before.
 */
export const newFormId = (changeRequestsSeen: number): string =>
  `${changeRequestsSeen}.${crypto.randomUUID()}`;

/** None, for an id that does not tell. */
export const changeRequestsSeen = (formId: string): number => Number(/^(\d{1,9})\./.exec(formId)?.[1] ?? 0);
