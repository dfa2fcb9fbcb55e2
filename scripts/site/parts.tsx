/** Components used only in the documentation. */
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { Button } from "../../src/pages/parts/button.tsx";
import { codeLanguages, highlighted } from "./markdown.ts";

export interface Block {
  language: string;
  source: string;
}

interface CodeOptions {
  /** The id, which is unique within the page. */
  id: string;
  blocks: readonly Block[];
  /** The title of a single block, if its language is not enough. */
  title?: string;
}

/** Code in one or more languages, with a tab for each. Tabs work without JavaScript. */
export function CodeTabs({ id, blocks, title }: CodeOptions) {
  const panels = blocks.map(({ language, source }) => ({
    id: `${id}-${classOf(language)}`,
    label: codeLanguages[language]?.label ?? "Text",
    value: classOf(language),
    html: highlighted(source, language),
  }));
  const several = panels.length > 1;
  return (
    <figure class={several ? "code languages" : "code"}>
      <figcaption>
        {several ? (
          <span class="tabs-of-code" role="radiogroup" aria-label="Language">
            {panels.map(({ label, value }, index) => (
              <label>
                <input type="radio" name={id} value={value} checked={index === 0} />
                {label}
              </label>
            ))}
          </span>
        ) : (
          (title ?? panels[0]?.label)
        )}
      </figcaption>
      {panels.map((panel) => (
        <div class={`panel ${panel.value}`}>
          <Button size="slim" icon="copy" type="button" data-copy={panel.id} hidden>
            Copy
          </Button>
          {/* biome-ignore lint/a11y: scrollable content can be reached by keyboard, and has a name. */}
          <pre tabindex={0} aria-label={title ?? panel.label}>
            <code id={panel.id}>{raw(panel.html)}</code>
          </pre>
        </div>
      ))}
    </figure>
  );
}

const classOf = (language: string) => codeLanguages[language]?.value ?? "plain";

export const Verb = ({ method }: { method: string }) => (
  <span class={`verb ${method.toLowerCase()}`}>{method}</span>
);

export const SectionLinks = ({ sections }: { sections: readonly { id: string; text: string }[] }) => (
  <ul>
    {sections.map(({ id, text }) => (
      <li>
        <a href={`#${id}`}>{text}</a>
      </li>
    ))}
  </ul>
);

interface ChoiceOptions {
  label: string;
  name: string;
  options: readonly { title: string; content: Child }[];
}

/** Shows one of several alternatives at a time. */
export const OneOf = ({ label, name, options }: ChoiceOptions) => (
  <div class="one-of">
    <div class="segments" role="radiogroup" aria-label={label}>
      {options.map(({ title }, index) => (
        <label>
          <input type="radio" name={name} value={String(index)} checked={index === 0} />
          {title}
        </label>
      ))}
    </div>
    {options.map(({ content }) => (
      <div class="option">{content}</div>
    ))}
  </div>
);
