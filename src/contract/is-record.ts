/** Whether a value is a JSON object. Unlike z.record, this keeps a field `__proto__`, so that it can be rejected. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
