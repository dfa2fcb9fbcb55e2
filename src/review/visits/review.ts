import { Buffer } from "node:buffer";
import type {
  attributions,
  clientFeedbackKinds,
  feedbackKinds,
  reviewStates,
} from "../../contract/closed-sets.ts";
import type { ShownBrand } from "../../workspace/brands/addresses.ts";
import type { Anchor } from "../feedback/record.ts";

export type Attribution = (typeof attributions)[number];
type FeedbackKind = (typeof feedbackKinds)[number];
export type ClientFeedbackKind = (typeof clientFeedbackKinds)[number];
type ReviewState = (typeof reviewStates)[number];

/** A deliverable as its client sees it. */
export interface Review {
  organizationId: string;
  /** The workspace that shares the work. */
  workspace: string;
  brand: ShownBrand;
  deliverableId: string;
  title: string;
  projectName: string | null;
  state: ReviewState;
  /** How the client is called; the page says it to visitors who proved that they read the client's mails. */
  clientName: string;
  /** Null: no one can be mailed. Sample data is never mailed, whatever its address. */
  clientEmail: string | null;
  /** The newest version's number. */
  versionNumber: number;
  /** Newest first. */
  versions: readonly ReviewVersion[];
  /** What a page shows of what was said, oldest first. */
  conversation: readonly Entry[];
  /** Whether there are older ones than those. */
  hasOlderFeedback: boolean;
  /** How many change requests the newest version has. A form holds how many there were when its page was made. */
  changeRequests: number;
  signOff: ReviewSignOff | null;
  /** A code is on its way to the client and not used or expired. */
  isCodeSent: boolean;
  /** How the visitor is known: by a link or a code that was mailed to the client's address, or only by the link. */
  visitor: Exclude<Attribution, "recorded_by_admin">;
}

export interface ReviewVersion {
  versionNumber: number;
  title: string;
  embedUrl: string | null;
  hasImage: boolean;
  note: string | null;
  createdAt: string;
}

/** What somebody said, or the message of a send. */
export interface Entry {
  id: string;
  versionNumber: number;
  kind: FeedbackKind | "send";
  body: string;
  authorName: string;
  /** Null: the workspace itself, as it sent the work. */
  attribution: Attribution | null;
  anchor: Anchor | null;
  createdAt: string;
}

/** What a text takes of a page: marks of HTML are escaped, and lines break by an element. */
const bytesInPage = (text: string): number =>
  Buffer.byteLength(text) + 5 * (text.match(/[&<>"'\n]/g)?.length ?? 0);

/** How many of these texts fit into a page, the first always. */
export function fitting(texts: readonly string[], maxBytes: number): number {
  let bytes = 0;
  const end = texts.findIndex((text, index) => {
    bytes += bytesInPage(text);
    return index > 0 && bytes > maxBytes;
  });
  return end < 0 ? texts.length : end;
}

interface ReviewSignOff {
  versionNumber: number;
  /** Null: it was erased, as they asked. */
  signerName: string | null;
  attribution: Attribution;
  signedOffAt: string;
}

/** Whether the visitor may sign off; if not, why not. */
type SignOffAccess = "allowed" | "confirm_address" | "no_address" | "signed_off";

export function signOffAccess({ state, visitor, clientEmail }: Review): SignOffAccess {
  if (state === "approved") return "signed_off";
  if (clientEmail === null) return "no_address";
  return visitor === "link_only" ? "confirm_address" : "allowed";
}

/** Shows enough of an address for its owner to know it, and too little for others to write to it. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const end = address.lastIndexOf(".");
  const shown = (text: string) => `${[...text][0] ?? ""}•••`;
  return `${shown(address.slice(0, at))}@${shown(address.slice(at + 1))}${end > at ? address.slice(end) : ""}`;
}
