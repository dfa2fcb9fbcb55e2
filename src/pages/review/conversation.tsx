import type { Attribution, Entry, Review } from "../../review/visits/review.ts";
import { Badge } from "../parts/badge.tsx";
import { When } from "../parts/time.tsx";
import { Typed } from "../parts/words.tsx";

/** How somebody was known, in words for everybody. */
export const attributionTexts = {
  mailed_link: "came by the link that was mailed to the client",
  mailed_code: "confirmed a code that was mailed to the client",
  link_only: "name not confirmed",
  recorded_by_admin: "recorded by the workspace",
} as const satisfies Record<Attribution, string>;

interface ConversationOptions {
  review: Review;
  /** `/review/{share_token}`. */
  path: string;
  /** Whether earlier comments were asked for. */
  isEarlier: boolean;
}

/** What was said so far, oldest first; the newest part of it, unless an earlier one was asked for. */
export const Conversation = ({ review, path, isEarlier }: ConversationOptions) =>
  review.conversation.length > 0 && (
    <section class="card" aria-labelledby="conversation-heading" id="conversation">
      <h2 id="conversation-heading">Conversation</h2>
      {review.hasOlderFeedback && (
        <p>
          <a
            href={`${path}?before=${review.conversation.find(({ kind }) => kind !== "send")?.id}#conversation`}
          >
            Show earlier comments
          </a>
        </p>
      )}
      <ol class="conversation">
        {review.conversation.map((given) => (
          <Feedback given={given} />
        ))}
      </ol>
      {isEarlier && (
        <p>
          <a href={`${path}#conversation`}>Back to the newest comments</a>
        </p>
      )}
    </section>
  );

const Feedback = ({ given }: { given: Entry }) => (
  <li id={`feedback-${given.id}`} tabindex={-1}>
    <p>
      <strong dir="auto">{given.authorName}</strong>{" "}
      {given.kind === "change_request" && <Badge tone="warn">Requests changes</Badge>}
    </p>
    <Typed>{given.body}</Typed>
    <p class="muted">
      <small>
        On version {given.versionNumber}, <When at={given.createdAt} exact /> ·{" "}
        {given.attribution === null ? "the workspace" : attributionTexts[given.attribution]}
      </small>
    </p>
  </li>
);
