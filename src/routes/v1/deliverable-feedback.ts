import { Refusal, refuse } from "../../contract/refusal.ts";
import { recordPath } from "../../http/list-route.ts";
import { CreationParameters, ListPage, pageBy, startOf } from "../../http/pagination.ts";
import { read } from "../../http/read.ts";
import { feedbackPage } from "../../review/feedback/read-feedback.ts";
import { exampleFeedback, Feedback } from "../../review/feedback/record.ts";

export const listDeliverableFeedback = read({
  path: "/api-v1/deliverables/{id}/feedback",
  operationId: "listDeliverableFeedback",
  tag: "Deliverables",
  summary: "List a deliverable's feedback",
  description:
    "Comments, change requests and replies for all versions, sorted by (created_at, id), ascending. Follow " +
    "`next_cursor` until it is null.",
  scope: "deliverable:read",
  params: recordPath(exampleFeedback.deliverable_id),
  query: CreationParameters,
  answer: ListPage(Feedback),
  answerDescription: "One page",
  examples: { answer: { data: [exampleFeedback], next_cursor: null } },
  failures: ["validation", "not_found"],
  load({ tokenHash, params, query }) {
    const position = startOf(query);
    if (position instanceof Refusal) return position;
    const { updatedAt: createdAt, id: feedbackId } = position;
    return feedbackPage({ tokenHash, id: params.id, createdAt, feedbackId, limit: query.limit + 1 });
  },
  present(found, { params, query, services: { cursorKeys } }, { principal: { organizationId } }) {
    if (!found) return refuse("not_found");
    const route = `/api-v1/deliverables/${params.id}/feedback`;
    const list = { route, organizationId, cursorKeys, mayBeLarge: true };
    return pageBy(found, query, list, ({ created_at, id }) => `${created_at}|${id}`);
  },
});
