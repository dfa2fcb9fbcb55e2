import type { Attribution, Review, ReviewFeedback } from "../../domain/review/review.ts";
import { Badge, Typed, When } from "../components.tsx";

/** How somebody was known, in words for everybody. */
export const attributionTexts = {
  mailed_link: "came by the link that was mailed to the client",
  mailed_code: "confirmed a code that was mailed to the client",
  link_only: "name not confirmed",
  recorded_by_admin: "recorded by the workspace",
} as const satisfies Record<Attribution, string>;

/** What was said so far, oldest first. */
export const Conversation = ({ review }: { review: Review }) =>
  review.feedback.length > 0 && (
    <section class="sheet" aria-labelledby="conversation-heading" id="conversation">
      <h2 id="conversation-heading">Conversation</h2>
      <ol class="conversation">
        {review.feedback.map((given) => (
          <Feedback given={given} />
        ))}
      </ol>
    </section>
  );

const Feedback = ({ given }: { given: ReviewFeedback }) => (
  <li id={`feedback-${given.id}`} tabindex={-1}>
    <p>
      <strong dir="auto">{given.authorName}</strong>{" "}
      {given.kind === "change_request" && <Badge tone="attention">Requests changes</Badge>}
    </p>
    <Typed>{given.body}</Typed>
    <p class="muted">
      <small>
        On version {given.versionNumber}, <When at={given.createdAt} exact /> ·{" "}
        {attributionTexts[given.attribution]}
      </small>
    </p>
  </li>
);
