import { Icon, type IconName } from "./icon.tsx";

/** Returns the first letters of the first and last word or, for an e-mail address, of the part before the @. */
const initialsOf = (name: string): string => {
  const words = name
    .replace(/@.*/, "")
    .split(/[\s._-]+/)
    .filter(Boolean);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
};

const tints = 4;

/** A name gets the same tint on every page. */
const tintOf = (name: string): number =>
  [...name].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % tints;

/** A person, shown as initials. */
export const Avatar = ({ name }: { name: string }) => (
  <span class={`avatar tint-${tintOf(name)}`} aria-hidden="true">
    {initialsOf(name)}
  </span>
);

/** A program, or the service itself. */
export const Machine = ({ icon = "key" }: { icon?: IconName }) => (
  <span class="avatar machine" aria-hidden="true">
    <Icon name={icon} />
  </span>
);

/** A workspace: its logo, or its initial on the workspace's color. */
export const Mark = ({ name, logo }: { name: string; logo?: string | null | undefined }) =>
  logo ? (
    <img class="mark" src={logo} alt="" width={32} height={32} />
  ) : (
    <span class="mark" aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
  );
