import type * as z from "zod";

/** The example of a request body: the fields of the created record's example that a request can set. */
export const bodyExample = ({ shape }: z.ZodObject, example: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(example).filter(([field, value]) => field in shape && value !== null));
