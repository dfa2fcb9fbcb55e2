/** The variables that the shell commands and the programs of a page read. */
import { placeholders } from "../../src/http/placeholders.ts";

const setup = `Set these variables first, in the shell that runs the examples:

\`\`\`sh
URL=${placeholders.origin} KEY=${placeholders.apikey} TOKEN=${placeholders.token}
export PARTNER_API_URL=$URL PARTNER_API_KEY=$KEY PARTNER_API_TOKEN=$TOKEN
\`\`\`

The commands read the first three, the client libraries the others.
`;

const isRead = /\$URL\b|(?:env\.|environ\[")PARTNER_API_URL/;

/** The page with the setup at the head of the first section that needs it. */
export function withSetup(markdown: string): string {
  const sections = markdown.split(/^(?=## )/m);
  const first = sections.findIndex((section) => isRead.test(section));
  return sections
    .map((section, index) =>
      index === first ? section.replace(/^#.*\n/, (heading) => `${heading}\n${setup}`) : section,
    )
    .join("");
}
