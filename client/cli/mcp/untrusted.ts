/**
 * Text from clients and other strangers reaches the agent between marks that no stranger can know, so that it
 * treats the text as data. The marks are removed from what the agent sends.
 */

/** Fields that a client, or anyone who writes to the workspace, fills in, including all of `metadata`. */
const words: ReadonlySet<string> = new Set([
  "body",
  "author_name",
  "author_address",
  "signer_name",
  "content",
  "metadata",
]);
/** A client's name, which forms and other systems fill in. */
const clientNames: ReadonlySet<string> = new Set(["client_name", "company_name"]);

export interface Untrusted {
  /** How a marked text begins and ends, for the instructions. */
  begin: string;
  end: string;
  /** A text that contains a stranger's words, such as an e-mail that greets a client by name. */
  mark(text: string): string;
  /** What was read, with each stranger's text and each client's name marked. */
  read<T>(answer: T): T;
  /** What was done, with each stranger's text marked. Names in it are those that the agent sent. */
  done<T>(answer: T): T;
  /** What the agent sends, without marks. */
  unmarked<T>(given: T): T;
}

/** `secret` is new in each session, so no one can have written it before. */
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

/**
 * A copy in which every text inside a chosen field is changed, at any depth; field names inside it count as
 * text, too.
 */
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
