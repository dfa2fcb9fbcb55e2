import type { Child } from "hono/jsx";
import { Button } from "./button.tsx";

/** Hidden until the copy script runs (scripts/copy.js). */
const Copy = ({ of }: { of: string }) => (
  <Button kind="quiet" icon="copy" type="button" data-copy={of} hidden>
    Copy
  </Button>
);

interface CopyFieldOptions {
  label: string;
  id: string;
  value: string;
  hint?: Child;
}

/** A value to copy. Without JavaScript, it can be selected like any field's value. */
export const CopyField = ({ label, id, value, hint }: CopyFieldOptions) => (
  <div class="field">
    <label for={id}>{label}</label>
    <div class="copy">
      <input id={id} value={value} readonly autocomplete="off" spellcheck={false} />
      <Copy of={id} />
    </div>
    {hint && <small>{hint}</small>}
  </div>
);

interface CodeOptions {
  /** The caption. */
  title: string;
  id: string;
  children: Child;
}

/** Lines of code or a response. Long lines scroll, also with the keyboard. */
export const Code = ({ title, id, children }: CodeOptions) => (
  <figure class="code">
    <figcaption>
      {title}
      <Copy of={id} />
    </figcaption>
    <section aria-label={title} tabindex={0}>
      <pre>
        <code id={id}>{children}</code>
      </pre>
    </section>
  </figure>
);
