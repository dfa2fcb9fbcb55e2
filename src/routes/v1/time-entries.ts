import { Refusal } from "../../contract/failures.ts";
import { limits } from "../../contract/limits.ts";
import { NewTimeEntry, TimeEntry } from "../../contract/resources/time-entry.ts";
import { run } from "../../db/query.ts";
import { createTimeEntry, projectOfEntry } from "../../domain/time-entries/create-time-entry.ts";
import { timeEntries } from "../../domain/time-entries/read-time-entries.ts";
import { listRoute, recordRoute } from "../../http/list-route.ts";
import { authorshipOf, write } from "../../http/route.ts";

const example: TimeEntry = {
  id: "5a3c8f0e-93f0-4a57-8b3c-2f0b7c1d9e55",
  project_id: "7d0e5b1e-2f6c-4d63-8c0e-1b9a5d0c3f42",
  client_id: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11",
  user_id: "e0c1f2a3-4b5c-4d6e-8f70-8192a3b4c5d6",
  description: "Wireframes",
  spent_date: "2026-01-31",
  hours: 1.5,
  started_at: null,
  ended_at: null,
  billable: true,
  hourly_rate: 95,
  currency: "EUR",
  invoice_id: null,
  client_ref: "timer-2026-01-31-1",
  created_at: "2026-01-31T09:30:00.000Z",
  updated_at: "2026-01-31T09:30:00.000Z",
};

const described = { tag: "Time entries", resource: TimeEntry, example };

export const listTimeEntries = listRoute({
  ...described,
  path: "/api-v1/time-entries",
  operationId: "listTimeEntries",
  summary: "List time entries",
  scope: "time:read",
  page: timeEntries.page,
});

export const getTimeEntry = recordRoute({
  ...described,
  path: "/api-v1/time-entries/{id}",
  operationId: "getTimeEntry",
  summary: "Get a time entry",
  scope: "time:read",
  find: timeEntries.find,
});

export const postTimeEntry = write({
  path: "/api-v1/time-entries",
  operationId: "createTimeEntry",
  tag: "Time entries",
  summary: "Log time",
  description: "Either `hours` with `spent_date`, or `started_at` with `ended_at`.",
  scope: "time:write",
  body: NewTimeEntry,
  maximumBodyBytes: limits.bodyBytes,
  answer: TimeEntry,
  answerDescription: "The time entry",
  examples: {
    body: { project_id: example.project_id, hours: 1.5, spent_date: "2026-01-31", description: "Wireframes" },
    answer: example,
  },
  preconditions: ({ tokenHash, body }) => projectOfEntry({ tokenHash, projectId: body.project_id }),
  findExisting: ({ principal, key }) => timeEntries.existing(principal.organizationId, key),
  plan(context, project) {
    const query = createTimeEntry(authorshipOf(context), context.body, project, context.key);
    return query instanceof Refusal ? query : () => run(context.services.db, query);
  },
});
