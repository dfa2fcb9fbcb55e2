import type { Review, ReviewVersion } from "../../review/visits/review.ts";
import { embedOf } from "../embeds.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { ShortDay } from "../parts/time.tsx";
import { pinsOf } from "./conversation.tsx";

interface WorkOptions {
  review: Review;
  version: ReviewVersion;
  path: string;
  isEmbedLoaded: boolean;
  /** Whether this version accepts comments, which may point at a spot. */
  isOpen: boolean;
}

/** The work itself: a stored image, an embed from a known provider, or a link, with controls below. */
export const WorkShown = ({ review, version, path, isEmbedLoaded, isOpen }: WorkOptions) => (
  <section class={review.versions.length > 1 ? "stage" : "stage alone"} aria-label="The work" id="work">
    <div class="work">
      {version.hasImage && <Picture {...{ review, version, path, isOpen }} />}
      {!version.hasImage && version.embedUrl && (
        <Embedded version={version} address={version.embedUrl} path={path} isEmbedLoaded={isEmbedLoaded} />
      )}
      {!version.hasImage && !version.embedUrl && (
        <div class="poster">
          <p>The image for this version is not stored.</p>
        </div>
      )}
    </div>
    <Tools {...{ review, version, path, isOpen }} />
    <Strip review={review} path={path} shown={version} />
  </section>
);

export const imagePath = (path: string, { versionNumber }: ReviewVersion) =>
  `${path}/versions/${versionNumber}/image`;

const nameOf = ({ title, versionNumber }: ReviewVersion) => `${title}, version ${versionNumber}`;

type ToolOptions = Omit<WorkOptions, "isEmbedLoaded">;

const Picture = ({ review, version, path, isOpen }: ToolOptions) => {
  const pins = pinsOf(review, version);
  return (
    <div class="picture">
      <img src={imagePath(path, version)} alt={nameOf(version)} />
      {isOpen && (
        <>
          <button type="button" class="aim" hidden data-with-script>
            <span class="visually-hidden">Choose a spot: arrow keys move the cross, Enter sets a pin</span>
          </button>
          <output class="visually-hidden" />
        </>
      )}
      <svg class="pins">
        <title>Comments on the work</title>
        {review.conversation.map(({ id, anchor, authorName }) => {
          const number = pins.get(id);
          return (
            anchor &&
            number !== undefined && (
              <svg x={percent(anchor.x)} y={percent(anchor.y)} overflow="visible">
                <title>{`Comment ${number}, by ${authorName}`}</title>
                <circle class="pin-spot" r="4" />
                <a
                  transform="translate(13 -13)"
                  id={`pin-${number}`}
                  href={`#feedback-${id}`}
                  aria-label={`Comment ${number}, by ${authorName}`}
                >
                  <circle r="14" />
                  <text y="4.5">{number}</text>
                </a>
              </svg>
            )
          );
        })}
      </svg>
    </div>
  );
};

const percent = (share: number) => `${Math.round(share * 10_000) / 100}%`;

const Tools = ({ review, version, path, isOpen }: ToolOptions) => {
  const others = review.versions.filter((one) => one.hasImage && one !== version);
  const before = others.find(({ versionNumber }) => versionNumber < version.versionNumber) ?? others.at(-1);
  if (!version.hasImage) return null;
  const compared =
    before && [before, version].map(({ versionNumber }) => versionNumber).sort((a, b) => a - b);
  return (
    <div class="stage-tools">
      <Button
        kind="quiet"
        size="slim"
        icon="search"
        href={imagePath(path, version)}
        data-zoom={nameOf(version)}
      >
        Full size
      </Button>
      {compared && (
        <Button kind="quiet" size="slim" icon="columns" href={`${path}?compare=${compared.join(",")}`}>
          Compare versions
        </Button>
      )}
      {version.embedUrl && <OpenElsewhere address={version.embedUrl} text="Open the source" isSlim />}
      {isOpen && (
        <p class="hint" hidden data-with-script>
          Choose a spot on the work to comment on it
        </p>
      )}
    </div>
  );
};

/** Each image counts against the visitor's reads per minute. */
const shownPictures = 12;

const Strip = ({ review, path, shown }: { review: Review; path: string; shown: ReviewVersion }) =>
  review.versions.length > 1 && (
    <nav class="strip" aria-label="Versions">
      {review.versions
        .map((version, index) => (
          <a
            href={
              version.versionNumber === review.versionNumber
                ? path
                : `${path}?version=${version.versionNumber}`
            }
            aria-current={version === shown ? "page" : undefined}
          >
            {version.hasImage && index < shownPictures ? (
              <img src={imagePath(path, version)} alt="" loading="lazy" />
            ) : (
              <span class="no-picture">
                <Icon name="externalLink" />
              </span>
            )}
            Version {version.versionNumber}
            <small>
              <ShortDay at={version.createdAt} />
            </small>
          </a>
        ))
        .toReversed()}
    </nav>
  );

/** Loads an embed only when the visitor asks for it, so that no other host learns of the visit before. */
const Embedded = ({
  version,
  address,
  path,
  isEmbedLoaded,
}: Pick<WorkOptions, "version" | "path" | "isEmbedLoaded"> & { address: string }) => {
  const embed = embedOf(address);
  if (!embed) return <LinkCard address={address} />;
  if (!isEmbedLoaded) {
    return (
      <div class="poster framed">
        <Icon name="externalLink" />
        <p class="poster-title">
          <bdi>{version.title}</bdi>
        </p>
        <p>
          Version {version.versionNumber}, at <strong>{embed.provider}</strong>. When you show it here,{" "}
          {embed.provider} sees your IP address; until then nothing is loaded from there.
        </p>
        <div class="actions">
          <Button href={`${path}?version=${version.versionNumber}&embed=load#work`}>Show it here</Button>
          <OpenElsewhere address={address} text={`Open it at ${embed.provider}`} />
        </div>
      </div>
    );
  }
  return (
    <figure>
      <iframe
        title={`${nameOf(version)}, at ${embed.provider}`}
        src={embed.src}
        sandbox={embed.sandbox}
        allow={embed.allow}
        referrerpolicy={embed.referrerPolicy}
      />
      <figcaption>
        <OpenElsewhere address={address} text={`Open it at ${embed.provider}`} isSlim />
      </figcaption>
    </figure>
  );
};

const LinkCard = ({ address }: { address: string }) => (
  <div class="poster">
    <p>
      This work is at <strong>{hostOf(address)}</strong>:
    </p>
    <div class="actions">
      <OpenElsewhere address={address} text="Open the work" />
    </div>
    <p class="address">{address}</p>
  </div>
);

const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).hostname : "another address");

/** Opens another tab, so that the review stays open. The other page cannot access this one and gets no referrer. */
const OpenElsewhere = ({
  address,
  text,
  isSlim = false,
}: {
  address: string;
  text: string;
  isSlim?: boolean;
}) => (
  <Button
    kind="quiet"
    {...(isSlim && { size: "slim" as const })}
    icon="externalLink"
    href={address}
    target="_blank"
    rel="noopener noreferrer nofollow"
  >
    {text} <span class="muted">(new tab)</span>
  </Button>
);

/** Two versions side by side. With JavaScript, a slider can overlay them. */
export const Compare = ({ pair, path }: { pair: readonly [ReviewVersion, ReviewVersion]; path: string }) => (
  <section class="stage compared" aria-label="Two versions">
    <div class="stage-tools compare-tools">
      <Button kind="quiet" size="slim" icon="chevronLeft" href={path}>
        Back to the review
      </Button>
      <Button
        kind="quiet"
        size="slim"
        icon="columns"
        type="button"
        data-over
        aria-pressed="false"
        hidden
        data-with-script
      >
        One over the other
      </Button>
      <label hidden>
        How much of each
        <input type="range" min="0" max="100" value="50" data-slider />
      </label>
    </div>
    <div class="compare">
      {pair.map((version) => (
        <figure>
          <figcaption>Version {version.versionNumber}</figcaption>
          <img src={imagePath(path, version)} alt={nameOf(version)} />
        </figure>
      ))}
    </div>
  </section>
);
