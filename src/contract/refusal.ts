import { type FieldProblem, problemIn } from "./problems.ts";
import type { RefusalEntry } from "./refusals/entry.ts";
import { refusals } from "./refusals.ts";

export type RefusalName = keyof typeof refusals;

/** The refusals that a route can declare. The OpenAPI document describes them. */
export type FailureName = {
  [Name in RefusalName]: (typeof refusals)[Name] extends { meaning: string } ? Name : never;
}[RefusalName];

type Takes<Part> = Part extends (details: infer Details) => unknown ? (details: Details) => void : never;
type PartsOf<Name extends RefusalName> = (typeof refusals)[Name][keyof (typeof refusals)[Name]];
type NoDetails = Record<never, never>;

/** All details that an entry's functions use. */
type DetailsOf<Name extends RefusalName> = [Takes<PartsOf<Name>>] extends [never]
  ? NoDetails
  : Takes<PartsOf<Name>> extends (details: infer Details) => void
    ? Details & object
    : never;

type AnswerHeaders = Readonly<Record<string, string>>;
type Given<Name extends RefusalName> =
  NoDetails extends DetailsOf<Name>
    ? [details?: DetailsOf<Name>, headers?: AnswerHeaders]
    : [details: DetailsOf<Name>, headers?: AnswerHeaders];

/**
 * The reason why a request is rejected. Functions return a refusal instead of throwing it, and each entry point formats
 * it as an API error body, as a message with a hint, or as an alert on a page.
 */
export class Refusal {
  readonly name: RefusalName;
  readonly text: string;
  /** The text for the log, without names that the caller chose. */
  readonly logged: string;
  readonly hint: string | null;
  /** Further fields for the API error body. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly #problems: readonly FieldProblem[];
  /** Headers for the response, whichever entry point sends it. */
  readonly headers: AnswerHeaders;

  constructor(name: RefusalName, details: object = {}, headers: AnswerHeaders = {}) {
    const {
      text,
      logged = text,
      hint = null,
      code,
      capability,
      resource,
      fields,
      problems,
      retryAfterSeconds,
    } = entryOf(name);
    this.name = name;
    this.text = partOf(text, details);
    this.logged = partOf(logged, details);
    this.hint = partOf(hint, details);
    const machineReadable = { code, capability, resource, ...partOf(fields ?? {}, details) };
    this.fields = Object.fromEntries(
      Object.entries(machineReadable).filter(([, value]) => value !== undefined),
    );
    this.#problems = problems ? partOf(problems, details) : [];
    this.headers =
      retryAfterSeconds === undefined ? headers : { "Retry-After": String(retryAfterSeconds), ...headers };
  }

  get status(): RefusalEntry["status"] {
    return entryOf(this.name).status;
  }

  /** Machine-readable code (contract E1). */
  get code(): string | undefined {
    return entryOf(this.name).code;
  }

  /** If this is a 400, everything that is wrong with the request. */
  get problems(): readonly FieldProblem[] {
    if (this.status !== 400) return [];
    return this.#problems.length > 0 ? this.#problems : [problemIn(this.text)];
  }

  /** A description that does not depend on the details. */
  get meaning(): string {
    return entryOf(this.name).meaning ?? this.text;
  }

  /** The text for a client's page. */
  get alert(): string {
    return entryOf(this.name).alert ?? this.text;
  }
}

const entryOf = (name: RefusalName): RefusalEntry => refusals[name];

/**
 * The cast is safe: `refuse` requires the details that the entry uses, and triggers only raise names that need no
 * details.
 */
const partOf = <T>(part: T | ((details: never) => T), details: object): T =>
  typeof part === "function" ? (part as (details: object) => T)(details) : part;

/** Creates a refusal from its catalog name and the details that its entry needs. */
export const refuse = <Name extends RefusalName>(name: Name, ...given: Given<Name>): Refusal =>
  new Refusal(name, ...given);

/** Creates a 400 with a text that starts with the field's name. */
export const invalid = (error: string, hint: string | null = null): Refusal =>
  refuse("validation", { error, hint });

/** Creates a 400 with a text that repeats a name chosen by the caller. `logged` is the text without the name. */
export const invalidName = (error: string, logged: string): Refusal =>
  refuse("validation", { error, logged });

/** Creates a 400 that lists all problems with a request. The first problem's message becomes its text. */
export const invalidIn = (problems: readonly FieldProblem[], logged: string | undefined): Refusal =>
  refuse("validation", { ...(problems[0] && { error: problems[0].message, logged }), problems });

/** Creates a 404 for an id that the workspace does not have, whether or not another workspace does. */
export const noSuch = (kind: string, id: string): Refusal => refuse("record_not_found", { kind, id });

export const isRefusalName = (name: unknown): name is RefusalName =>
  typeof name === "string" && Object.hasOwn(refusals, name);

export const isFailureName = (name: unknown): name is FailureName =>
  isRefusalName(name) && "meaning" in refusals[name];

/** Returns the refusal name that a trigger raised; undefined for any other error. */
export const raisedName = (error: unknown): string | undefined =>
  /^(?:Error: )?(?:D1_ERROR: )?([a-z_]+): SQLITE_CONSTRAINT/.exec(String(error))?.[1];

/** Returns the refusal that a trigger raised for a partner's request; undefined for any other error. */
export function raisedRefusal(error: unknown): Refusal | undefined {
  const raised = raisedName(error);
  return isFailureName(raised) ? new Refusal(raised) : undefined;
}
