import type { Child } from "hono/jsx";

/** What a refused form says, read out by screen readers as soon as it is there. */
export const Alert = ({ children }: { children: Child }) => (
  <div class="alert" role="alert">
    {children}
  </div>
);

export type Tone = "neutral" | "good" | "attention" | "bad";

export const Badge = ({ tone = "neutral", children }: { tone?: Tone; children: Child }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

const makeFormats = () => ({
  day: new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }),
  minute: new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" }),
});
/** Made for the first page that needs them: they took half of what the Worker declared when it started. */
let formats: ReturnType<typeof makeFormats> | undefined;

/** A point in time as its reader says it; `exact` adds the minute. */
export const When = ({ at, exact = false }: { at: string; exact?: boolean }) => {
  formats ??= makeFormats();
  const { day, minute } = formats;
  const date = new Date(at);
  const text = exact ? `${day.format(date)}, ${minute.format(date)} UTC` : day.format(date);
  return <time datetime={at}>{text}</time>;
};

/** A text that somebody typed: its line breaks stay, and its direction is its own. */
export const Typed = ({ children, as: Tag = "p" }: { children: string; as?: "p" | "blockquote" }) => (
  <Tag class="typed" dir="auto">
    {children}
  </Tag>
);

interface FieldOptions {
  label: string;
  name: string;
  value?: string;
  error?: string;
  hint?: Child;
  maxLength?: number;
  /** Lines of a text area; a single line without it. */
  rows?: number;
  required?: boolean;
  /** Passed on to the input. */
  type?: string;
  autocomplete?: string;
  inputmode?: "numeric" | "email" | "url";
  pattern?: string;
  autofocus?: boolean;
}

/** A labelled input; what is wrong with it stands right below it. */
export const Field = ({ label, name, value, error, hint, rows, required = true, ...input }: FieldOptions) => {
  const { maxLength, ...rest } = input;
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(" ");
  const common = {
    id: name,
    name,
    required,
    maxlength: maxLength,
    "aria-invalid": error ? ("true" as const) : undefined,
    "aria-describedby": described || undefined,
    ...rest,
  };
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {rows ? (
        <textarea {...common} rows={rows} dir="auto">
          {value}
        </textarea>
      ) : (
        <input {...common} value={value} dir="auto" />
      )}
      {hint && <small id={`${name}-hint`}>{hint}</small>}
      {error && (
        <small id={`${name}-error`} class="error">
          {error}
        </small>
      )}
    </div>
  );
};
