/** The setup that a page's examples need: variables, the client library and shell functions. */
import { placeholders } from "../../src/http/placeholders.ts";

const variables = `Set these variables in the shell that runs the examples. The shell commands use the first three, and the
client libraries use the others.

\`\`\`sh
URL=${placeholders.origin} KEY=${placeholders.apikey} TOKEN=${placeholders.token}
export PARTNER_API_URL=$URL PARTNER_API_KEY=$KEY PARTNER_API_TOKEN=$TOKEN
\`\`\``;

const client = `Create the client once:

\`\`\`js
import { partnerApi } from "partner-api-client";

const api = partnerApi({
  baseUrl: process.env.PARTNER_API_URL,
  apikey: process.env.PARTNER_API_KEY,
  token: process.env.PARTNER_API_TOKEN,
});
\`\`\`

\`\`\`python
import os
from partner_api import PartnerApi

api = PartnerApi(
    base_url=os.environ["PARTNER_API_URL"],
    apikey=os.environ["PARTNER_API_KEY"],
    token=os.environ["PARTNER_API_TOKEN"],
)
\`\`\``;

const shellFunctions = `The commands use these shell functions:

\`\`\`sh
field() { node -p "with (JSON.parse(require('fs').readFileSync(0, 'utf8'))) $1"; }
get() { curl -sS --fail-with-body "$URL$1" -H "apikey: $KEY" -H "Authorization: Bearer $TOKEN"; }
post() {
  curl -sS --fail-with-body "$URL$1" -H "apikey: $KEY" -H "Authorization: Bearer $TOKEN" \\
    -H "Content-Type: application/json" -H "Idempotency-Key: $(node -p 'crypto.randomUUID()')" -d "$2"
}
\`\`\``;

const readsVariables = /\$URL\b|(?:env\.|environ\[")PARTNER_API_URL/;
const callsClient = /\bapi\.\w+\.\w+\(/;
const createsClient = /\bapi = (?:partnerApi|PartnerApi)\(/;
const callsFunctions = /\| field |\$\((?:get|post) /;

/** Inserts the setup, collapsed, before the first code block that needs it. */
export function withSetup(markdown: string): string {
  const parts = markdown.split(/(^```[\s\S]*?^```$)/m);
  const code = parts.filter((_, index) => index % 2 === 1).join("\n");
  const needsClient = callsClient.test(code) && !createsClient.test(code);
  const needsFunctions = callsFunctions.test(code);
  const needed = (block: string) =>
    readsVariables.test(block) ||
    (needsClient && callsClient.test(block)) ||
    (needsFunctions && callsFunctions.test(block));
  const first = parts.findIndex((part, index) => index % 2 === 1 && needed(part));
  if (first === -1) return markdown;
  const setup = [variables, needsClient && client, needsFunctions && shellFunctions].filter(Boolean);
  const folded = `<details>\n<summary>Before you run the examples</summary>\n\n${setup.join("\n\n")}\n\n</details>\n\n`;
  return parts.with(first, folded + parts[first]).join("");
}
