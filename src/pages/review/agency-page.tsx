import type { Openings } from "../../review/openings/find-openings.ts";
import { type Review, signOffAccess } from "../../review/visits/review.ts";
import type { Tone } from "../parts/badge.tsx";
import { Fold } from "../parts/card.tsx";
import { PoweredBy } from "../parts/mark.tsx";
import { Minute, When } from "../parts/time.tsx";
import { attributionTexts, Conversation } from "./conversation.tsx";
import { ReplySheet, SignedOff } from "./forms.tsx";
import {
  About,
  DoneNote,
  EarlierNotice,
  RefusedNote,
  Returned,
  type ReviewPageOptions,
  ReviewShell,
  stateBadges,
} from "./review-page.tsx";
import { WorkShown } from "./work.tsx";

/** The workspace, represented by a signed-in owner or admin. */
export interface Agency {
  name: string;
  settingsPath: string;
  openings: Openings;
}

interface AgencyPageOptions extends ReviewPageOptions {
  agency: Agency;
  reviewPath: string;
}

const states: Record<Review["state"], { tone: Tone; text: string }> = {
  ...stateBadges,
  in_review: { tone: "warn", text: "Waiting for the client" },
};

/**
 * A review from the workspace's point of view: who opened it, what the client can do, the conversation, and a reply
 * form.
 */
export const AgencyPage = (options: AgencyPageOptions) => {
  const {
    review,
    path,
    reviewPath,
    shown,
    agency,
    isEmbedLoaded,
    isEarlier = false,
    done,
    refusal,
  } = options;
  const isNewest = shown.versionNumber === review.versionNumber;
  const isOpen = review.state !== "approved";
  return (
    <ReviewShell review={review} badge={states[review.state]}>
      <WorkShown review={review} version={shown} path={path} isEmbedLoaded={isEmbedLoaded} isOpen={false} />
      <div class="beside agency">
        {/* The workspace never acts as the client, even in a browser that has the client's key. */}
        {!isOpen && <SignedOff review={{ ...review, visitor: "link_only" }} path={reviewPath} />}
        <div class="upper">
          {refusal && (
            <RefusedNote refusal={refusal} unsent={isOpen ? undefined : refusal.given.values.reply} />
          )}
          {done === "reply" && <DoneNote done={done} review={review} name={undefined} />}
          <Returned review={review} />
          {!isNewest && <EarlierNotice path={path} review={review} shown={shown} isOpen={false} />}
          <About shown={shown}>
            For <bdi>{review.clientName}</bdi>
          </About>
          <OpenedBy review={review} openings={agency.openings} />
          <Conversation review={review} path={path} shown={shown} isEarlier={isEarlier} />
        </div>
        {isOpen && <ReplySheet {...options} given={refusal?.given} admin={agency.name} />}
        <ClientCan review={review} linkExpiresAt={agency.openings.linkExpiresAt} />
        <footer class="bottom">
          <p>
            Only owners and admins of <bdi>{review.workspace}</bdi> see this page. Everyone else sees the
            client's page at this address. <a href={agency.settingsPath}>Open the settings</a>
          </p>
          <PoweredBy />
        </footer>
      </div>
    </ReviewShell>
  );
};

/** Earlier opens are folded, so that the conversation stays in view. */
const openingsInView = 3;

const OpenedBy = ({ review, openings: { shown, hasOlder } }: { review: Review; openings: Openings }) => (
  <section class="next" aria-labelledby="opened-heading">
    <h2 id="opened-heading">Who opened it</h2>
    {shown.length === 0 && <p>No one yet.</p>}
    <OpeningList review={review} openings={shown.slice(0, openingsInView)} />
    {shown.length > openingsInView && (
      <Fold summary="Earlier">
        <OpeningList review={review} openings={shown.slice(openingsInView)} />
        {hasOlder && <p>An export of the workspace has all of them.</p>}
      </Fold>
    )}
    <p class="hint">
      Each visitor counts once a day for each version. Visitors with only the link appear when they comment.
    </p>
  </section>
);

const OpeningList = ({ review, openings }: { review: Review; openings: Openings["shown"] }) => (
  <ul class="openings">
    {openings.map(({ visitor, versionNumber, createdAt }) => (
      <li>
        <strong dir="auto">{visitor || review.clientName}</strong>
        {visitor && <small>{attributionTexts.link_only}</small>} Version {versionNumber}
        <small>
          <Minute at={createdAt} />
        </small>
      </li>
    ))}
  </ul>
);

const ClientCan = ({ review, linkExpiresAt }: { review: Review; linkExpiresAt: string | null }) => (
  <section class="next" aria-labelledby="client-can-heading">
    <h2 id="client-can-heading">
      What <bdi>{review.clientName}</bdi> can do now
    </h2>
    {review.state === "draft" && (
      <p>Version {review.versionNumber} was not sent yet. Anyone with the link can open it and comment.</p>
    )}
    {review.state === "changes_requested" && (
      <p>They asked for changes to version {review.versionNumber} and wait for your next version.</p>
    )}
    <WaysToSignOff review={review} linkExpiresAt={linkExpiresAt} />
  </section>
);

const WaysToSignOff = ({ review, linkExpiresAt }: { review: Review; linkExpiresAt: string | null }) => {
  const { versionNumber, clientEmail } = review;
  switch (signOffAccess({ ...review, visitor: "link_only" })) {
    case "signed_off":
      return <p>Read the review and open the certificate. The review is closed.</p>;
    case "no_address":
      return review.isSample ? (
        <p>Comment and request changes. This is sample data: only you can record a sign-off.</p>
      ) : (
        <p>
          Comment and request changes. They have no e-mail address, so only you can record their sign-off.
        </p>
      );
    default:
      return (
        <>
          <p>Comment, request changes, and sign off version {versionNumber}.</p>
          <p>
            {linkExpiresAt === null ? (
              <>
                To sign off, they get a code by e-mail at <bdi>{clientEmail}</bdi>: they have no personal link
                that works.
              </>
            ) : (
              <>
                Their personal link works until <When at={linkExpiresAt} />. Without it, they get a code by
                e-mail at <bdi>{clientEmail}</bdi>.
              </>
            )}
          </p>
        </>
      );
  }
};
