import { retrySchedule } from "../../src/contract/retry-schedule.ts";
import { webhookLimits } from "../../src/contract/webhook-limits.ts";
import { placeholders } from "../../src/http/placeholders.ts";
import { Button } from "../../src/pages/parts/button.tsx";
import { Icon, type IconName } from "../../src/pages/parts/icon.tsx";
import { NamePlate } from "../../src/pages/parts/mark.tsx";
import { Frame } from "./layout.tsx";
import { type Block, CodeTabs } from "./parts.tsx";

const promises: { icon: IconName; slug: string; title: string; text: string }[] = [
  {
    icon: "shieldCheck",
    slug: "idempotency",
    title: "Safe retries",
    text: "A retry with the same key returns the first response.",
  },
  {
    icon: "webhook",
    slug: "webhooks",
    title: "Signed webhooks",
    text: `Standard Webhooks with ${retrySchedule.attempts} attempts, and a feed of the last ${webhookLimits.keptDays} days.`,
  },
  {
    icon: "check",
    slug: "sign-off-proof",
    title: "Provable sign-offs",
    text: "Anyone can verify a sign-off offline, even years later.",
  },
  {
    icon: "message",
    slug: "agents",
    title: "Ready for agents",
    text: "Every page as Markdown, and an MCP server.",
  },
];

export const Landing = ({ description, call }: { description: string; call: readonly Block[] }) => (
  <Frame title={placeholders.serviceName} description={description} markdown="/llms.txt" shape="landing">
    <header class="site-bar">
      <div class="band">
        <NamePlate href="/" />
        <nav aria-label="Site">
          <a href="/docs">Docs</a>
          <a href="/docs/changelog">Changelog</a>
        </nav>
        <Button kind="quiet" href="/sign-in">
          Sign in
        </Button>
      </div>
    </header>
    <main id="main" class="band" tabindex={-1}>
      <div class="hero">
        <h1>Client work, signed off. Straight from your tools.</h1>
        <p>
          Send designs for review, log time, draft invoices, and hear about every decision. The API never
          performs a write twice, even if you retry.
        </p>
        <div class="actions">
          <Button size="large" icon="chevronRight" href="/docs/first-call">
            Make your first call
          </Button>
          <Button kind="quiet" size="large" href="/docs">
            Documentation
          </Button>
        </div>
      </div>
      <div class="landing-columns">
        <img
          src="/docs/pictures/review.png"
          width="1280"
          height="900"
          alt="A client's review page with the work, the conversation and the sign-off form"
        />
        <CodeTabs id="landing" blocks={call} title="Send a design for review" />
      </div>
      <div class="page-cards">
        {promises.map(({ icon, slug, title, text }) => (
          <a href={`/docs/${slug}`}>
            <Icon name={icon} />
            <h2>{title}</h2>
            <p>{text}</p>
          </a>
        ))}
      </div>
    </main>
  </Frame>
);
