/**
 * Marks text from clients and other strangers before the agent sees it, so that the agent treats it as data.
 * Strangers cannot know the markers. Markers are removed from what the agent sends.
 */

/**
 * Fields that clients, or others who write to the workspace, fill in, including all of `metadata`. A `reason` comes
 * from the mail server of the recipient's domain.
 */
const words: ReadonlySet<string> = new Set([
  "body",
  "author_name",
  "author_address",
  "signer_name",
  "content",
  "metadata",
  "reason",
]);
/** A client's name, which forms and other systems fill in. */
const clientNames: ReadonlySet<string> = new Set(["client_name", "company_name"]);

export interface Untrusted {
  /** The markers around a text, for the instructions. */
  begin: string;
  end: string;
  /** Marks a text that contains a stranger's words, such as an e-mail that greets a client by name. */
  mark(text: string): string;
  /** Marks every stranger's text and every client's name in a response. */
  read<T>(answer: T): T;
  /** Marks every stranger's text in the response to a write. Its names come from the agent. */
  done<T>(answer: T): T;
  /** Removes the markers from what the agent sends. */
  unmarked<T>(given: T): T;
}

/** `secret` must be new in each session, so that no one can have written it before. */
export function untrustedWith(secret: string): Untrusted {
  const [begin, end] = [`<untrusted-${secret}>`, `</untrusted-${secret}>`];
  const mark = (text: string) =>
    `${begin}${text.replaceAll(secret, "").replaceAll(/<(?=\s*\/?\s*untrusted)/gi, "‹")}${end}`;
  const isClient = (record: object) => "client_name" in record && "company_name" in record;
  return {
    begin,
    end,
    mark,
    read: (answer) =>
      withTexts(
        answer,
        mark,
        (field, record) =>
          words.has(field) || clientNames.has(field) || (field === "name" && isClient(record)),
      ),
    done: (answer) => withTexts(answer, mark, (field) => words.has(field)),
    unmarked: (given) =>
      withTexts(
        given,
        (text) => text.replaceAll(begin, "").replaceAll(end, ""),
        () => true,
      ),
  };
}

/** Copies a value and changes every text in a chosen field, at any depth, including field names. */
function withTexts<T>(
  value: T,
  change: (text: string) => string,
  isChosen: (field: string, record: object) => boolean,
  isInside = false,
): T {
  if (typeof value === "string") return (isInside ? change(value) : value) as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change, isChosen, isInside)) as T;
  const entries = Object.entries(value).map(([field, inner]) => [
    isInside ? change(field) : field,
    withTexts(inner, change, isChosen, isInside || isChosen(field, value)),
  ]);
  return Object.fromEntries(entries) as T;
}
