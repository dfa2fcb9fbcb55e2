import type { Child } from "hono/jsx";
import { problemHeading, problemText } from "../../review/returned-mails/problem-texts.ts";
import type { Review, ReviewVersion } from "../../review/visits/review.ts";
import { brandStylesheet, logoPath } from "../../workspace/brands/addresses.ts";
import { type LinkPreview, PageShell } from "../layout.tsx";
import { Mark } from "../parts/avatar.tsx";
import { Badge, type Tone } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Alert, Note } from "../parts/card.tsx";
import { PoweredBy } from "../parts/mark.tsx";
import { When } from "../parts/time.tsx";
import { Typed } from "../parts/words.tsx";
import { type CompletedAction, completedActionTexts } from "./completed-action.ts";
import { Conversation } from "./conversation.tsx";
import { FeedbackSheet, type Given, SignedOff, SignOffSheet } from "./forms.tsx";
import { Compare, WorkShown } from "./work.tsx";

/** Each state's badge, worded for the client. */
export const stateBadges = {
  draft: { tone: "neutral", text: "Not sent yet" },
  in_review: { tone: "warn", text: "Waiting for you" },
  changes_requested: { tone: "warn", text: "Changes requested" },
  approved: { tone: "good", text: "Signed off" },
} as const satisfies Record<Review["state"], { tone: Tone; text: string }>;

/** Who opened the page, as far as the page may reveal it. */
export interface Visitor {
  /** The default for `Your name` and `Full name`. */
  name?: string | undefined;
  /** Whether an admin of the workspace is viewing the client's page. */
  isAdmin?: boolean;
}

export interface ReviewPageOptions {
  review: Review;
  /** `/review/{share_token}`. */
  path: string;
  /** The version on display: the newest, unless an earlier one was requested. */
  shown: ReviewVersion;
  visitor: Visitor;
  /** Whether the visitor asked to load the embedded page from its host. */
  isEmbedLoaded: boolean;
  /** Whether earlier comments were requested. */
  isEarlier?: boolean;
  done?: CompletedAction | undefined;
  formId: string;
  preview?: LinkPreview | undefined;
  /** Why a form was rejected, and its values. */
  refusal?: { text: string; given: Given };
}

/** Hidden fields cannot show their own errors, so the alert does. */
const unseenFields = ["form_id", "version_number", "kind", "anchor_x", "anchor_y"];

/** The page that a client opens: the work, the conversation and the forms. */
export const ReviewPage = (options: ReviewPageOptions) => {
  const { review, path, shown, visitor, isEmbedLoaded, isEarlier = false, done, formId, refusal } = options;
  const isNewest = shown.versionNumber === review.versionNumber;
  const isOpen = review.state !== "approved";
  const forms = { review, path, formId, name: visitor.name, given: refusal?.given };
  return (
    <ReviewShell review={review} preview={options.preview}>
      <WorkShown
        review={review}
        version={shown}
        path={path}
        isEmbedLoaded={isEmbedLoaded}
        isOpen={isOpen && isNewest}
      />
      <div class="beside" data-opened={openedPath(options)}>
        {!isOpen && <SignedOff review={review} path={path} />}
        <div class="upper">
          {visitor.isAdmin && <ClientsPageNote path={path} review={review} />}
          {refusal && (
            <RefusedNote refusal={refusal} unsent={isOpen ? undefined : refusal.given.values.body} />
          )}
          {done && isOpen && <DoneNote done={done} review={review} name={visitor.name} />}
          {!isNewest && <EarlierNotice path={path} review={review} shown={shown} isOpen={isOpen} />}
          <About shown={shown}>
            {review.visitor !== "link_only" && visitor.name && !done && (
              <>
                Hello <bdi>{visitor.name}</bdi>
              </>
            )}
          </About>
          <Conversation review={review} path={path} shown={shown} isEarlier={isEarlier} />
          {isOpen && isNewest && (
            <nav class="dock" aria-label="What you can do">
              <Button kind="quiet" icon="message" href="#respond">
                Comment
              </Button>
              <Button kind="good" icon="check" href="#sign-off">
                Sign off
              </Button>
            </nav>
          )}
        </div>
        {isOpen && isNewest && <FeedbackSheet {...forms} />}
        {isOpen && isNewest && <SignOffSheet {...forms} />}
        {!isOpen && (
          <section class="next" aria-labelledby="next-heading">
            <h2 id="next-heading">What happens next</h2>
            <p>
              <bdi>{review.workspace}</bdi> continues with this version. Changed your mind? Reply to their
              mail: this review is closed.
            </p>
          </section>
        )}
        <Footer review={review} />
      </div>
    </ReviewShell>
  );
};

/** Returns the path to which JavaScript reports that the client opened this version; undefined for other visitors. */
const openedPath = ({ review, path, shown, visitor }: ReviewPageOptions): string | undefined =>
  review.visitor === "link_only" || visitor.isAdmin
    ? undefined
    : `${path}/versions/${shown.versionNumber}/opened`;

const ClientsPageNote = ({ review, path }: Pick<ReviewPageOptions, "review" | "path">) => (
  <Note>
    <p>
      This is the page that <bdi>{review.clientName}</bdi> sees.{" "}
      <a href={`${path}/agency`}>Open the agency's view</a>
    </p>
  </Note>
);

/** Two versions of the work, at full width. */
export const ComparePage = ({
  review,
  path,
  pair,
}: Pick<ReviewPageOptions, "review" | "path"> & { pair: readonly [ReviewVersion, ReviewVersion] }) => (
  <ReviewShell review={review} isWide>
    <h1 class="visually-hidden">
      {review.title}: versions {pair[0].versionNumber} and {pair[1].versionNumber}
    </h1>
    <Compare pair={pair} path={path} />
    <footer class="bottom">
      <PoweredBy />
    </footer>
  </ReviewShell>
);

export const ReviewShell = ({
  review,
  badge: { tone, text } = stateBadges[review.state],
  isWide = false,
  preview,
  children,
}: {
  review: Review;
  badge?: { tone: Tone; text: string };
  isWide?: boolean;
  preview?: LinkPreview | undefined;
  children: unknown;
}) => {
  return (
    <PageShell
      title={`${review.title} · ${review.workspace}`}
      shape={isWide ? "review wide" : "review"}
      main="review-main"
      script="review"
      brand={brandStylesheet(review.brand)}
      preview={preview}
      before={
        <header class="review-bar">
          <Mark name={review.workspace} logo={logoPath(review.brand)} />
          <p dir="auto">
            {review.workspace}
            {review.projectName && <small dir="auto">{review.projectName}</small>}
          </p>
          <Badge tone={tone}>{text}</Badge>
        </header>
      }
    >
      {children as never}
    </PageShell>
  );
};

export const RefusedNote = ({
  refusal: { text, given },
  unsent,
}: {
  refusal: NonNullable<ReviewPageOptions["refusal"]>;
  /** The typed text, if the page no longer shows its form. */
  unsent: string | undefined;
}) => (
  <Alert>
    <p>{text}</p>
    {unseenFields.map((name) => given.errors[name] && <p>{given.errors[name]}</p>)}
    {unsent && (
      <>
        <p>What you wrote was not sent:</p>
        <Typed as="blockquote">{unsent}</Typed>
      </>
    )}
  </Alert>
);

export const DoneNote = ({
  done,
  review,
  name,
}: {
  done: CompletedAction;
  review: Review;
  name: string | undefined;
}) => {
  const { heading, next } = completedActionTexts(done, review, name?.split(" ")[0]);
  return (
    <div id="done" tabindex={-1}>
      <Note tone={done === "change_request" ? "warn" : "good"} role="status" heading={heading}>
        <p>{next}</p>
      </Note>
    </div>
  );
};

/** The title and details of the version on display, below a line for the reader. */
export const About = ({ shown, children }: { shown: ReviewVersion; children: Child }) => (
  <header class="about">
    {children && <p>{children}</p>}
    <h1 dir="auto">{shown.title}</h1>
    <p>
      Version {shown.versionNumber} · <When at={shown.createdAt} />
    </p>
    {shown.note && <Typed>{shown.note}</Typed>}
  </header>
);

export const Returned = ({ review: { returned, clientName } }: { review: Review }) =>
  returned && (
    <Note tone="bad" heading={problemHeading(returned.problem)}>
      <p>
        <bdi>{problemText(returned.problem)}</bdi>{" "}
        <a href={returned.clientPath}>
          Check the address of <bdi>{clientName}</bdi>
        </a>
      </p>
    </Note>
  );

export const EarlierNotice = ({
  path,
  review,
  shown,
  isOpen,
}: Pick<ReviewPageOptions, "path" | "review" | "shown"> & { isOpen: boolean }) => (
  <Note tone="warn">
    <p>
      This is version {shown.versionNumber}. The newest is <a href={path}>version {review.versionNumber}</a>
      {isOpen ? ": comment there, or sign it off." : "."}
    </p>
  </Note>
);

const mailboxText = ({ clientEmail }: Review): string =>
  clientEmail === null ? "" : " Signing off needs access to your mailbox.";

const Footer = ({ review }: { review: Review }) => (
  <footer class="bottom">
    <p>
      Anyone with this link can see the work
      {review.state === "approved" ? "." : ` and comment.${mailboxText(review)}`}
    </p>
    <PoweredBy />
  </footer>
);
