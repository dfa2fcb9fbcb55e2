import { placeholders } from "../../src/http/placeholders.ts";
import { Icon, type IconName } from "../../src/pages/parts/icon.tsx";
import type { Group, SitePage } from "./contents.ts";
import { addressOfPage } from "./layout.tsx";
import { type Block, CodeTabs } from "./parts.tsx";
import { TokenForm } from "./token-form.tsx";

const icons: Record<string, IconName> = {
  "log-time": "clock",
  invoices: "list",
  review: "send",
  synchronize: "refresh",
  webhooks: "webhook",
  "sign-off-proof": "shieldCheck",
  "typescript-client": "zap",
  "python-client": "zap",
  conformance: "check",
  agents: "message",
  support: "info",
  changelog: "history",
};

const Cards = ({ pages }: { pages: readonly SitePage[] }) => (
  <div class="page-cards">
    {pages.map(({ slug, title, summary }) => (
      <a href={addressOfPage(slug)}>
        <Icon name={icons[slug] ?? "bookOpen"} />
        <h3>{title}</h3>
        <p>{summary}</p>
      </a>
    ))}
  </div>
);

interface OverviewOptions {
  groups: readonly Group[];
  firstCall: readonly Block[];
}

export function Overview({ groups, firstCall }: OverviewOptions) {
  const pagesOf = (heading: string) => groups.find((group) => group.heading === heading)?.pages ?? [];
  return (
    <>
      <div class="operation">
        <div class="stack wide">
          <div class="stack tight">
            <h1>Build on {placeholders.serviceName}</h1>
            <p class="lede">
              Read and create clients, projects, time, draft invoices and deliverables. Send work for review.
              Hear about every decision.
            </p>
          </div>
          <TokenForm />
        </div>
        <aside aria-label="The first call">
          <CodeTabs id="first" blocks={firstCall} />
        </aside>
      </div>
      <section class="stack" aria-labelledby="guides">
        <h2 id="guides">Guides</h2>
        <Cards pages={pagesOf("Guides")} />
      </section>
      <section class="stack" aria-labelledby="tools">
        <h2 id="tools">Tools</h2>
        <Cards pages={pagesOf("Tools")} />
        <p class="muted">
          For other tools: the <a href="/api-v1/openapi.json">OpenAPI document</a> and a{" "}
          <a href="/docs/partner-api.postman_collection.json">Postman collection</a>.
        </p>
      </section>
    </>
  );
}
