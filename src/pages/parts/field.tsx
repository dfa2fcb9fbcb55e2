import type { Child } from "hono/jsx";
import { Icon } from "./icon.tsx";

export const FieldError = ({ id, children }: { id: string; children: Child }) => (
  <p id={id} class="error" role="alert">
    <Icon name="circleAlert" />
    {children}
  </p>
);

interface FieldOptions {
  label: string;
  name: string;
  value?: string | undefined;
  error?: string | undefined;
  hint?: Child;
  maxLength?: number;
  /** The number of rows in a text area. Absent for a single-line input. */
  rows?: number;
  required?: boolean;
  /** Passed on to the input. */
  type?: string;
  autocomplete?: string;
  inputmode?: "numeric" | "email" | "url";
  pattern?: string;
  placeholder?: string;
  accept?: string;
  autofocus?: boolean;
}

/** Links an input to its hint and its error. */
const described = (name: string, hint: Child, error: string | undefined) => ({
  "aria-invalid": error ? ("true" as const) : undefined,
  "aria-describedby":
    [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(" ") || undefined,
});

/** A labeled input with its hint and its error. */
export const Field = ({ label, name, value, error, hint, rows, required = true, ...input }: FieldOptions) => {
  const { maxLength, ...rest } = input;
  const common = { id: name, name, required, maxlength: maxLength, ...described(name, hint, error), ...rest };
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
      {error && <FieldError id={`${name}-error`}>{error}</FieldError>}
    </div>
  );
};

interface SelectOptions {
  label: string;
  name: string;
  /** Values with their labels. */
  options: readonly (readonly [value: string, text: string])[];
  chosen?: string | undefined;
  hint?: Child;
  error?: string | undefined;
}

export const Select = ({ label, name, options, chosen, hint, error }: SelectOptions) => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name} {...described(name, hint, error)}>
      {options.map(([value, text]) => (
        <option value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
    {hint && <small id={`${name}-hint`}>{hint}</small>}
    {error && <FieldError id={`${name}-error`}>{error}</FieldError>}
  </div>
);

interface TickOptions {
  name: string;
  value: string;
  type?: "checkbox" | "radio";
  checked?: boolean;
  disabled?: boolean;
  required?: boolean;
  "aria-describedby"?: string;
  children: Child;
}

/** A checkbox or radio button with its label. */
export const Tick = ({ type = "checkbox", children, ...input }: TickOptions) => (
  <label class="check">
    <input type={type} {...input} />
    <span>{children}</span>
  </label>
);
