import { nearest } from "../nearest.ts";
import { oneOf, type RefusalEntry } from "./entry.ts";

/** Refusals for records that an operation did not find. */
export const notFoundRefusals = {
  organization_not_found: {
    status: 404,
    text: ({ organization }: { organization: string }) => `There is no organization ${organization}`,
    hint: ({ hint }: { hint: string }) => hint,
  },
  operation_unknown: {
    status: 404,
    text: ({ operation }: { operation: string }) => `Unknown operation: ${operation}`,
    hint: ({ operation, operations }: { operation: string; operations: readonly string[] }) => {
      const meant = nearest(operation, operations);
      return meant ? `did you mean ${meant}?` : oneOf(operations);
    },
  },
  operation_not_found: { status: 404, text: "This operation does not exist", hint: "GET /rpc lists them" },
  operations_not_listed: { status: 404, text: "Operations are not listed here" },
  nothing_here: { status: 404, text: "This path does not exist", hint: "GET /rpc lists the operations" },
  record_not_found: {
    status: 404,
    text: ({ kind, id }: { kind: string; id: string }) => `There is no ${kind} ${id} in this workspace`,
  },
} as const satisfies Record<string, RefusalEntry>;
