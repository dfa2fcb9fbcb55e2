import type { Child } from "hono/jsx";
import { reviewLimits } from "../../contract/review-limits.ts";
import { fitting, type Review, type ReviewVersion } from "../../review/visits/review.ts";
import { ColumnPage } from "../layout.tsx";
import { Badge, type Tone } from "../parts/badge.tsx";
import { Alert, Note } from "../parts/card.tsx";
import { When } from "../parts/time.tsx";
import { Typed } from "../parts/words.tsx";
import { Conversation } from "./conversation.tsx";
import { FeedbackSheet, type Given, SignOffSheet } from "./forms.tsx";
import { WorkShown } from "./work.tsx";

const states = {
  draft: { tone: "neutral", text: "Draft" },
  in_review: { tone: "warn", text: "Waiting for your review" },
  changes_requested: { tone: "warn", text: "Changes requested" },
  approved: { tone: "good", text: "Signed off" },
} as const satisfies Record<Review["state"], { tone: Tone; text: string }>;

interface ReviewPageOptions {
  review: Review;
  /** `/review/{share_token}`. */
  path: string;
  /** The version that is shown; the newest, unless an earlier one was asked for. */
  shown: ReviewVersion;
  /** Whether the visitor asked to load the other host's page that the version embeds. */
  isEmbedLoaded: boolean;
  /** Whether comments before the newest were asked for. */
  isEarlier?: boolean;
  formId: string;
  /** Why a form was refused, and what it held. */
  refusal?: { text: string; given: Given };
}

/** Hidden fields: no input shows what is wrong with them, so the alert does. */
const unseenFields = ["form_id", "version_number", "kind"];

/** The page that a client opens: the work, what was said of it, and what there is to say now. */
export const ReviewPage = (options: ReviewPageOptions) => {
  const { review, path, shown, isEmbedLoaded, isEarlier = false, formId, refusal } = options;
  const { tone, text } = states[review.state];
  const isNewest = shown.versionNumber === review.versionNumber;
  const isOpen = review.state !== "approved";
  return (
    <ColumnPage
      title={`${review.title} · ${review.workspace}`}
      brand={review.workspace}
      aside={<Badge tone={tone}>{text}</Badge>}
      footer={<Footer review={review} />}
    >
      {refusal && (
        <Alert>
          <p>{refusal.text}</p>
          {unseenFields.map((name) => refusal.given.errors[name] && <p>{refusal.given.errors[name]}</p>)}
          {!isOpen && refusal.given.values.body && (
            <>
              <p>What you wrote was not sent:</p>
              <Typed as="blockquote">{refusal.given.values.body}</Typed>
            </>
          )}
        </Alert>
      )}
      <Title review={review} shown={shown} />
      {!isNewest && <EarlierNotice path={path} review={review} shown={shown} />}
      <WorkShown version={shown} path={path} isEmbedLoaded={isEmbedLoaded} />
      <EarlierVersions review={review} path={path} shown={shown} />
      <Conversation review={review} path={path} isEarlier={isEarlier} />
      {isOpen && isNewest && (
        <FeedbackSheet review={review} path={path} formId={formId} given={refusal?.given} />
      )}
      {(isNewest || !isOpen) && (
        <SignOffSheet review={review} path={path} formId={formId} given={refusal?.given} />
      )}
    </ColumnPage>
  );
};

const Title = ({ review, shown }: { review: Review; shown: ReviewVersion }) => (
  <div class="title">
    <h1 dir="auto">{shown.title}</h1>
    <p class="muted">
      Version {shown.versionNumber} · <When at={shown.createdAt} />
      {review.projectName && (
        <>
          {" "}
          · <bdi>{review.projectName}</bdi>
        </>
      )}
    </p>
    {shown.note && <Typed as="blockquote">{shown.note}</Typed>}
    {review.state !== "approved" && shown.versionNumber === review.versionNumber && (
      <nav class="jump" aria-label="On this page">
        <a href="#respond">Comment</a>
        <a href="#sign-off">Sign off</a>
      </nav>
    )}
  </div>
);

const EarlierNotice = ({ path, review, shown }: Pick<ReviewPageOptions, "path" | "review" | "shown">) => (
  <Note tone="warn">
    <p>
      This is version {shown.versionNumber}. The newest one is{" "}
      <a href={path}>version {review.versionNumber}</a>
      {review.state === "approved" ? "." : ": comment on that one, or sign it off."}
    </p>
  </Note>
);

/** The list has the notes of the newest versions; those of the others stand on their own pages. */
const EarlierVersions = ({ review, path, shown }: Pick<ReviewPageOptions, "review" | "path" | "shown">) => {
  const notes = review.versions.map(({ note }) => note ?? "");
  const withNote = fitting(notes, reviewLimits.shownNoteBytes);
  if (review.versions.length === 1) return null;
  return (
    <details class="card versions">
      <summary>All {review.versions.length} versions</summary>
      <ol reversed>
        {review.versions.map((version, index) => (
          <li>
            <VersionLink
              path={path}
              version={version}
              isShown={version === shown}
              newest={review.versionNumber}
            />{" "}
            <span class="muted">
              <When at={version.createdAt} />
            </span>
            {version.note && index < withNote && <Typed>{version.note}</Typed>}
          </li>
        ))}
      </ol>
    </details>
  );
};

interface VersionLinkOptions {
  path: string;
  version: ReviewVersion;
  isShown: boolean;
  newest: number;
}

const VersionLink = ({ path, version, isShown, newest }: VersionLinkOptions) => (
  <a
    href={version.versionNumber === newest ? path : `${path}?version=${version.versionNumber}`}
    aria-current={isShown ? "true" : undefined}
  >
    Version {version.versionNumber}
  </a>
);

const Footer = ({ review }: { review: Review }): Child => (
  <p>
    <bdi>{review.workspace}</bdi> shares this work with you for review. Whoever has its link can see it
    {review.state === "approved"
      ? "."
      : " and comment; only who reads the mails to your address can sign it off."}
  </p>
);
