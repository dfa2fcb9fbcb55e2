import { Refusal } from "../../contract/refusal.ts";
import { runLast } from "../../db/query.ts";
import { bodyExample } from "../../http/body-example.ts";
import { dayFilter, flagFilter, idFilter } from "../../http/filters.ts";
import { listRoute, recordRoute } from "../../http/list-route.ts";
import { write } from "../../http/write.ts";
import { newId } from "../../platform/new-id.ts";
import { createTimeEntry, keyOfAnother, projectOfEntry } from "../../work/time-entries/create-time-entry.ts";
import { timeEntryResource } from "../../work/time-entries/read-time-entries.ts";
import { exampleTimeEntry as example, NewTimeEntry, TimeEntry } from "../../work/time-entries/record.ts";

const described = { tag: "Time entries", resource: TimeEntry, example };

export const listTimeEntries = listRoute({
  ...described,
  path: "/api-v1/time-entries",
  operationId: "listTimeEntries",
  summary: "List time entries",
  scope: "time:read",
  filters: {
    project_id: idFilter("project"),
    client_id: idFilter("client"),
    user_id: idFilter("member"),
    invoiced: flagFilter("Whether the entry is on an invoice", "false"),
    from: dayFilter("Only work on or after this day (`spent_date`)", "2026-01-01"),
    to: dayFilter("Only work on or before this day (`spent_date`)", "2026-01-31"),
  },
  page: timeEntryResource.page,
});

export const getTimeEntry = recordRoute({
  ...described,
  path: "/api-v1/time-entries/{id}",
  operationId: "getTimeEntry",
  summary: "Get a time entry",
  scope: "time:read",
  find: timeEntryResource.find,
});

export const postTimeEntry = write({
  path: "/api-v1/time-entries",
  operationId: "createTimeEntry",
  tag: "Time entries",
  summary: "Log time",
  description: "Send either `hours` and `spent_date`, or `started_at` and `ended_at`.",
  scope: "time:write",
  body: NewTimeEntry,
  answer: TimeEntry,
  answerDescription: "The time entry",
  examples: {
    body: bodyExample(NewTimeEntry, example),
    answer: example,
  },
  action: "time_entry.created",
  load: ({ tokenHash, body }) => projectOfEntry({ tokenHash, projectId: body.project_id }),
  decide(context, { body, key, entry }, project) {
    const id = newId();
    const insert = createTimeEntry(context, id, body, project, key);
    if (insert instanceof Refusal) return insert;
    const work = [insert, timeEntryResource.record(entry(id))] as const;
    return () => runLast(context.services.db, work).catch(keyOfAnother);
  },
  answerOf: timeEntryResource.fromText,
  recall: (organizationId, { subjectId }) => timeEntryResource.read(organizationId, subjectId),
});
