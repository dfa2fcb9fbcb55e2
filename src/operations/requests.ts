import * as z from "zod";
import { idInput, timestampInput } from "../contract/fields.ts";
import { noSuch } from "../contract/refusal.ts";
import { requestLogLimits } from "../contract/request-log-limits.ts";
import { sendNow } from "../http/request-log.ts";
import { traceEvents } from "../webhooks/deliveries/read-trace.ts";
import { listRequests, shownRequest, tokensById } from "../workspace/request-log/read-log.ts";
import { readUsage } from "../workspace/request-log/read-usage.ts";
import { ApiRequest, statusInput } from "../workspace/request-log/record.ts";
import { Usage } from "../workspace/request-log/usage.ts";
import { type AdminOperations, workspaceOperation } from "./operation.ts";
import { ShownRequest } from "./shown-request.ts";

const { keptDays, usageDays } = requestLogLimits;
const { min, max, default: byDefault } = usageDays;

export const requestOperations: AdminOperations = {
  "list-requests": workspaceOperation({
    summary:
      `List the API requests of the last ${keptDays} days, newest first; \`cursor\` is the last \`request_id\` of ` +
      "the previous page",
    reads: true,
    action: "see API requests",
    input: z.strictObject({
      token: idInput.optional(),
      status: statusInput.optional(),
      route: z
        .string()
        .max(200)
        .optional()
        .meta({ description: "The path template, as in the list of requests" }),
      since: timestampInput.optional(),
      until: timestampInput.optional(),
      cursor: idInput.optional(),
      limit: z.int().min(1).max(1000).default(50),
    }),
    answer: z.array(ApiRequest),
    async run({ services, organization }, filter) {
      await sendNow(services, organization.id);
      return listRequests(services, organization.id, filter);
    },
  }),

  "show-request": workspaceOperation({
    summary: "Show an API request by its X-Request-Id, with its events and the webhook receivers' responses",
    reads: true,
    action: "see API requests",
    input: z.strictObject({ request_id: idInput }),
    answer: ShownRequest,
    async run({ services, organization }, { request_id }) {
      await sendNow(services, organization.id);
      const found = await services.coordinators.getByName(organization.id).findRequest(request_id);
      const tokens = await tokensById(services, organization.id, new Set(found && [found.token_id]));
      const token = found && tokens.get(found.token_id);
      if (!token) return noSuch("request", request_id);
      const events = await traceEvents(services.db, organization.id, found);
      const { earlier = null, later = null, ...request } = found;
      return {
        ...shownRequest(request, token),
        events,
        previous_request_id: earlier,
        next_request_id: later,
      };
    },
  }),

  usage: workspaceOperation({
    summary: "Show recent usage by day and token, and how much of the plan's limits is left",
    reads: true,
    action: "see the usage",
    input: z.strictObject({ days: z.int().min(min).max(max).default(byDefault) }),
    answer: Usage,
    async run({ services, organization }, { days }) {
      await sendNow(services, organization.id);
      return readUsage(services, organization.id, days);
    },
  }),
};
