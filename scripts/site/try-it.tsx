/** A form that requires JavaScript. Sends the call with the token entered on the page "The first call". */
import { placeholders } from "../../src/http/placeholders.ts";
import { Badge } from "../../src/pages/parts/badge.tsx";
import { Button } from "../../src/pages/parts/button.tsx";
import { Fold } from "../../src/pages/parts/card.tsx";
import type { DocumentedCall, DocumentedParameter } from "./document.ts";

export function TryIt({
  call,
  parameters,
  body,
}: {
  call: DocumentedCall;
  parameters: DocumentedParameter[];
  body?: Record<string, { value: unknown }> | undefined;
}) {
  const inputs = parameters.filter(({ in: place }) => place === "path" || place === "query");
  const [required, optional] = [true, false].map((wanted) =>
    inputs.filter(({ required = false }) => required === wanted).map(inputOf),
  );
  const [example] = Object.values(body ?? {});
  return (
    <form
      class="card stack tight try-it"
      id="try-it"
      data-method={call.method}
      data-path={call.path}
      data-apikey={placeholders.apikey}
      data-token={placeholders.token}
      hidden
    >
      <h2>Try it</h2>
      <p class="small muted" data-who />
      {required}
      {example && (
        <label class="field">
          <span>Body</span>
          <textarea name="body" rows={6} spellcheck={false}>
            {JSON.stringify(example.value, null, 2)}
          </textarea>
        </label>
      )}
      {optional && optional.length > 0 && <Fold summary="Optional parameters">{optional}</Fold>}
      <div class="stack tight sending">
        <div class="row">
          <Button>Send</Button>
          <strong role="status" />
          {call.operation.operationId === "sendDeliverable" && <Badge tone="warn">E-mails your client</Badge>}
        </div>
        <figure class="code" hidden>
          <figcaption />
          {/* biome-ignore lint/a11y: scrollable content can be reached by keyboard, and has a name. */}
          <pre tabindex={0} aria-label="Response">
            <code />
          </pre>
        </figure>
      </div>
    </form>
  );
}

const inputOf = ({ name, in: place, required, example }: DocumentedParameter) => (
  <label class="field">
    <span>{name}</span>
    <input
      name={name}
      data-in={place}
      value={required ? String(example ?? "") : ""}
      placeholder={required ? "" : String(example ?? "")}
      required={required}
    />
  </label>
);
