import type { Attribution, Entry, Review, ReviewVersion } from "../../review/visits/review.ts";
import { logoPath } from "../../workspace/brands/addresses.ts";
import { Avatar, Mark } from "../parts/avatar.tsx";
import { Badge } from "../parts/badge.tsx";
import { Minute } from "../parts/time.tsx";

/** Describes how an author was identified. */
export const attributionTexts = {
  mailed_link: "opened the link e-mailed to the client",
  mailed_code: "confirmed a code e-mailed to the client",
  link_only: "name not confirmed",
  recorded_by_admin: "recorded by the workspace",
} as const satisfies Record<Attribution, string>;

interface ConversationOptions {
  review: Review;
  /** `/review/{share_token}`. */
  path: string;
  /** The version whose image is shown. Comments can point at it. */
  shown: ReviewVersion;
  /** Whether earlier comments were requested. */
  isEarlier: boolean;
}

/** The conversation, oldest first. Shows only the newest part unless earlier comments were requested. */
export const Conversation = ({ review, path, shown, isEarlier }: ConversationOptions) => {
  const { conversation } = review;
  const pins = pinsOf(review, shown);
  const oldest = conversation.find(({ kind }) => kind !== "send");
  return (
    <section class="talk" aria-label="Conversation" id="conversation" tabindex={0}>
      <div class="talk-content">
        {review.hasOlderFeedback && oldest && (
          <p>
            <a href={`${path}?before=${oldest.id}#conversation`}>Show earlier comments</a>
          </p>
        )}
        {conversation.length === 0 && <p class="muted">No comments yet.</p>}
        <ol>
          {conversation.map((entry, index) => (
            <>
              {entry.versionNumber !== conversation[index - 1]?.versionNumber && (
                <li class="of-version">Version {entry.versionNumber}</li>
              )}
              <ConversationEntry entry={entry} review={review} pin={pins.get(entry.id)} />
            </>
          ))}
        </ol>
        {isEarlier && (
          <p>
            <a href={`${path}#conversation`}>Back to the newest comments</a>
          </p>
        )}
      </div>
    </section>
  );
};

/** Returns the numbers of the pins on a version's image, by comment id. */
export function pinsOf({ conversation }: Review, { versionNumber, hasImage }: ReviewVersion) {
  const pinned = conversation.filter((entry) => entry.anchor && entry.versionNumber === versionNumber);
  return new Map(hasImage ? pinned.map(({ id }, index) => [id, index + 1] as const) : []);
}

const isOurs = ({ kind }: Entry) => kind === "send" || kind === "reply";

const ConversationEntry = ({
  entry,
  review,
  pin,
}: {
  entry: Entry;
  review: Review;
  pin: number | undefined;
}) => (
  <li id={`feedback-${entry.id}`} tabindex={-1} class={isOurs(entry) ? "entry ours" : "entry"}>
    {isOurs(entry) ? (
      <Mark name={review.workspace} logo={logoPath(review.brand)} />
    ) : (
      <Avatar name={entry.authorName} />
    )}
    <div class="who">
      <strong dir="auto">{entry.authorName}</strong>
      {isOurs(entry) && <small dir="auto">{review.workspace}</small>}
      {entry.kind === "change_request" && <Badge tone="warn">Asked for changes</Badge>}
      <small>
        <Minute at={entry.createdAt} />
        {entry.attribution === "link_only" && ` · ${attributionTexts.link_only}`}
        {entry.attribution === "recorded_by_admin" &&
          !isOurs(entry) &&
          ` · ${attributionTexts.recorded_by_admin}`}
      </small>
    </div>
    <div class="typed" dir="auto">
      {pin !== undefined && (
        <>
          <a class="pin-number" href={`#pin-${pin}`} aria-label={`Spot ${pin} on the work`}>
            {pin}
          </a>{" "}
        </>
      )}
      {entry.body}
    </div>
  </li>
);
