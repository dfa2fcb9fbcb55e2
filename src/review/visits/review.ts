import { Buffer } from "node:buffer";
import type {
  attributions,
  clientFeedbackKinds,
  feedbackKinds,
  reviewStates,
} from "../../contract/closed-sets.ts";
import type { DeliveryProblem } from "../../contract/delivery-problem.ts";
import type { ShownBrand } from "../../workspace/brands/addresses.ts";
import type { Anchor } from "../feedback/record.ts";

export type Attribution = (typeof attributions)[number];
type FeedbackKind = (typeof feedbackKinds)[number];
export type ClientFeedbackKind = (typeof clientFeedbackKinds)[number];
type ReviewState = (typeof reviewStates)[number];

/** A deliverable as its client sees it. */
export interface Review {
  organizationId: string;
  workspace: string;
  brand: ShownBrand;
  deliverableId: string;
  title: string;
  projectName: string | null;
  state: ReviewState;
  /** Shown only to visitors who proved access to the client's mailbox. */
  clientName: string;
  isSample: boolean;
  /** Null if the client cannot be e-mailed. Always null for sample data. */
  clientEmail: string | null;
  /** For admins: how the e-mail bounced, and the path of the page that changes the client's address. */
  returned: { problem: DeliveryProblem; clientPath: string } | null;
  versionNumber: number;
  /** Newest first. */
  versions: readonly ReviewVersion[];
  /** The part of the conversation that a page shows, oldest first. */
  conversation: readonly Entry[];
  hasOlderFeedback: boolean;
  /** How many change requests the newest version has. A form contains the number that its page showed. */
  changeRequests: number;
  signOff: ReviewSignOff | null;
  /** Whether the workspace is fenced. If so, the review can be read but not changed. */
  isMoving: boolean;
  /** Whether link previews may show the work. */
  hasPreview: boolean;
  /** When the client is reminded; null if no reminder is pending. Shown only to the workspace. */
  reminderDueAt: string | null;
  /** Whether the client was sent a code that can still be used. */
  isCodeSent: boolean;
  /** How the visitor is identified: by a link or code e-mailed to the client, or only by the review's link. */
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

/** A comment, or a send's message. */
export interface Entry {
  id: string;
  versionNumber: number;
  kind: FeedbackKind | "send";
  body: string;
  authorName: string;
  /** Null for a send's message. */
  attribution: Attribution | null;
  anchor: Anchor | null;
  createdAt: string;
}

/** Returns a string's size in HTML, where special characters are escaped and a line break is an element. */
const bytesInPage = (text: string): number =>
  Buffer.byteLength(text) + 5 * (text.match(/[&<>"'\n]/g)?.length ?? 0);

/** Returns how many of the strings fit on a page. At least one is always included. */
export function countThatFit(texts: readonly string[], maxBytes: number): number {
  let bytes = 0;
  const end = texts.findIndex((text, index) => {
    bytes += bytesInPage(text);
    return index > 0 && bytes > maxBytes;
  });
  return end < 0 ? texts.length : end;
}

interface ReviewSignOff {
  versionNumber: number;
  /** Null if it was erased at the signer's request. */
  signerName: string | null;
  attribution: Attribution;
  signedOffAt: string;
}

/** Whether the visitor may sign off, or why not. */
type SignOffAccess = "allowed" | "confirm_address" | "no_address" | "signed_off";

export function signOffAccess({ state, visitor, clientEmail }: Review): SignOffAccess {
  if (state === "approved") return "signed_off";
  if (clientEmail === null) return "no_address";
  return visitor === "link_only" ? "confirm_address" : "allowed";
}

/** Shows enough of an address for its owner to recognize it, but too little for others to write to it. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const end = address.lastIndexOf(".");
  const shown = (text: string) => `${[...text][0] ?? ""}•••`;
  return `${shown(address.slice(0, at))}@${shown(address.slice(at + 1))}${end > at ? address.slice(end) : ""}`;
}
