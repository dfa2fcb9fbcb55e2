import type { ReviewVersion } from "../../review/visits/review.ts";
import { embedOf } from "../embeds.ts";

interface WorkOptions {
  version: ReviewVersion;
  path: string;
  isEmbedLoaded: boolean;
}

/** The work itself: an image of ours, a frame of a provider that we know, or a link. */
export const WorkShown = ({ version, path, isEmbedLoaded }: WorkOptions) => (
  <section class="work" aria-label="The work">
    {version.hasImage && <Picture version={version} path={path} />}
    {version.embedUrl && (
      <Embedded version={version} address={version.embedUrl} path={path} isEmbedLoaded={isEmbedLoaded} />
    )}
    {!version.hasImage && !version.embedUrl && <p class="card">No image is kept of this version.</p>}
  </section>
);

const imagePath = (path: string, { versionNumber }: ReviewVersion) =>
  `${path}/versions/${versionNumber}/image`;

const Picture = ({ version, path }: Pick<WorkOptions, "version" | "path">) => (
  <figure>
    <a href={imagePath(path, version)}>
      <img src={imagePath(path, version)} alt={`${version.title}, version ${version.versionNumber}`} />
    </a>
    <figcaption class="muted">Open the image by itself to see it in full size.</figcaption>
  </figure>
);

/** A frame is loaded when the visitor asks for it: until then no other host learns that they are here. */
const Embedded = ({ version, address, path, isEmbedLoaded }: WorkOptions & { address: string }) => {
  const embed = embedOf(address);
  if (!embed) return <LinkCard address={address} />;
  if (!isEmbedLoaded) {
    return (
      <div class="card">
        <p>
          This work is at <strong>{embed.provider}</strong>. Loading it here tells {embed.provider} that you
          are looking at it.
        </p>
        <div class="actions">
          <a class="button" href={`${path}?version=${version.versionNumber}&embed=load#work`}>
            Show it here
          </a>
          <OpenElsewhere address={address} text={`Open it at ${embed.provider}`} />
        </div>
      </div>
    );
  }
  return (
    <figure id="work">
      <iframe
        title={`${version.title}, version ${version.versionNumber}, at ${embed.provider}`}
        src={embed.src}
        sandbox={embed.sandbox}
        allow={embed.allow}
        referrerpolicy={embed.referrerPolicy}
      />
      <figcaption>
        <OpenElsewhere address={address} text={`Open it at ${embed.provider}`} isButton={false} />
      </figcaption>
    </figure>
  );
};

const LinkCard = ({ address }: { address: string }) => (
  <div class="card">
    <p>
      This work is at <strong>{hostOf(address)}</strong>:
    </p>
    <div class="actions">
      <OpenElsewhere address={address} text="Open the work" />
    </div>
    <p class="muted address">{address}</p>
  </div>
);

const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).hostname : "another address");

/**
 * Opens beside the review, which stays open. The other page cannot reach back and does not learn where the visitor came
 * from.
 */
const OpenElsewhere = ({
  address,
  text,
  isButton = true,
}: {
  address: string;
  text: string;
  isButton?: boolean;
}) => (
  <a
    href={address}
    target="_blank"
    rel="noopener noreferrer nofollow"
    class={isButton ? "button quiet" : undefined}
  >
    {text} <span class="muted">(new tab)</span>
  </a>
);
