import { type FieldProblem, problemIn } from "./problems.ts";
import type { RefusalEntry } from "./refusals/entry.ts";
import { refusals } from "./refusals.ts";

export type RefusalName = keyof typeof refusals;

/** The refusals that a route may declare. The OpenAPI document explains them. */
export type FailureName = {
  [Name in RefusalName]: (typeof refusals)[Name] extends { meaning: string } ? Name : never;
}[RefusalName];

type Takes<Part> = Part extends (details: infer Details) => unknown ? (details: Details) => void : never;
type PartsOf<Name extends RefusalName> = (typeof refusals)[Name][keyof (typeof refusals)[Name]];
type NoDetails = Record<never, never>;

/** All details that the functions of an entry use. */
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
 * A refused request. Functions return a refusal instead of throwing it. Each entry point renders it
 * differently: as the body of an API response, as a message with a hint, or as an alert on a page.
 */
export class Refusal {
  readonly name: RefusalName;
  readonly text: string;
  /** The text without names that the caller chose. */
  readonly logged: string;
  readonly hint: string | null;
  /** The other fields of the API body. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly #problems: readonly FieldProblem[];
  /** Headers that every entry point sends. */
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

  /** For programs to branch on (contract E1). */
  get code(): string | undefined {
    return entryOf(this.name).code;
  }

  /** Everything that is wrong with the request, if this is a 400. */
  get problems(): readonly FieldProblem[] {
    if (this.status !== 400) return [];
    return this.#problems.length > 0 ? this.#problems : [problemIn(this.text)];
  }

  /** A description that is the same for all refusals with this name. */
  get meaning(): string {
    return entryOf(this.name).meaning ?? this.text;
  }

  /** The text that a client's page shows. */
  get alert(): string {
    return entryOf(this.name).alert ?? this.text;
  }
}

const entryOf = (name: RefusalName): RefusalEntry => refusals[name];

/** The cast is safe: `refuse` requires the details that an entry uses, and triggers raise only names without them. */
const partOf = <T>(part: T | ((details: never) => T), details: object): T =>
  typeof part === "function" ? (part as (details: object) => T)(details) : part;

/** Creates a refusal from its catalogue name and the details that its entry needs. */
export const refuse = <Name extends RefusalName>(name: Name, ...given: Given<Name>): Refusal =>
  new Refusal(name, ...given);

/** A 400 whose text starts with the field's name. */
export const invalid = (error: string, hint: string | null = null): Refusal =>
  refuse("validation", { error, hint });

/** A 400 whose text repeats a name that the caller chose. `logged` is the text without that name. */
export const invalidName = (error: string, logged: string): Refusal =>
  refuse("validation", { error, logged });

/** A 400 that lists all problems of a request. Its text is the first problem's message. */
export const invalidIn = (problems: readonly FieldProblem[], logged: string | undefined): Refusal =>
  refuse("validation", { ...(problems[0] && { error: problems[0].message, logged }), problems });

/** A 404 for an id that the workspace does not have, whether or not another workspace does. */
export const noSuch = (kind: string, id: string): Refusal => refuse("record_not_found", { kind, id });

export const isRefusalName = (name: unknown): name is RefusalName =>
  typeof name === "string" && Object.hasOwn(refusals, name);

export const isFailureName = (name: unknown): name is FailureName =>
  isRefusalName(name) && "meaning" in refusals[name];

/** The refusal name that a trigger raised; undefined for any other error. */
export const raisedName = (error: unknown): string | undefined =>
  /^(?:Error: )?(?:D1_ERROR: )?([a-z_]+): SQLITE_CONSTRAINT/.exec(String(error))?.[1];

/** The refusal that a trigger raised for a partner's request; undefined for any other error. */
export function raisedRefusal(error: unknown): Refusal | undefined {
  const raised = raisedName(error);
  return isFailureName(raised) ? new Refusal(raised) : undefined;
}
