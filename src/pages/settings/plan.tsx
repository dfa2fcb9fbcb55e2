import type { features } from "../../contract/closed-sets.ts";
import { limits } from "../../contract/limits.ts";
import { batch } from "../../db/query.ts";
import { allPlans, planOf } from "../../workspace/organizations/plan-of.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Card, Note } from "../parts/card.tsx";
import { Meter } from "../parts/figures.tsx";
import type { C } from "./page-context.ts";
import { refusedPage, show } from "./responses.tsx";
import { SettingsPage } from "./settings-page.tsx";
import { planName } from "./sidebar.tsx";

const formatted = (figure: number) => figure.toLocaleString("en-GB", { maximumFractionDigits: 1 });

const gigabyte = 1000;

export const sizeText = (megabytes: number): string =>
  megabytes < gigabyte ? `${formatted(megabytes)} MB` : `${formatted(megabytes / gigabyte)} GB`;

/** Display names for the features that an operator can enable. */
const featureTexts: Readonly<Record<string, string>> = {
  connector_api_ingest: "client messages from partners",
} satisfies Record<(typeof features)[number], string>;

type Plan = ReturnType<ReturnType<typeof allPlans>["read"]>[number];

export async function showPlan(c: C): Promise<Response> {
  const { db, operatorEmail } = c.get("services");
  const [plan, plans] = await batch(db, [planOf(c.get("workspace").id), allPlans()]);
  if (!plan) return refusedPage(c, null);
  return show(
    c,
    <SettingsPage c={c} heading="Plan" lede={`You're on the ${planName(plan.plan)} plan.`}>
      {!plan.api_access && (
        <Note heading="Tokens and webhooks require a paid plan">
          <p>
            They let your time tracker, bookkeeping and design tools work with this workspace: read clients
            and projects, log time, draft invoices, send work for review, and hear about every decision.
          </p>
        </Note>
      )}
      <Reached plan={plan} />
      <Usage plan={plan} />
      <section class="stack" aria-labelledby="plans-heading">
        <h2 id="plans-heading">All plans</h2>
        <div class="plans">
          {plans.map((one) => (
            <OnePlan plan={one} isCurrent={one.name === plan.plan} />
          ))}
        </div>
        <Move c={c} email={operatorEmail} plan={plan.plan} />
      </section>
    </SettingsPage>,
  );
}

type Used = NonNullable<ReturnType<ReturnType<typeof planOf>["read"]>>;

/** The only limit that resets. */
const mailsToday = "E-mails today";

const usesOf = (plan: Used): Use[] => [
  { what: "Deliverables", used: plan.deliverable_count, limit: plan.deliverable_cap },
  { what: "Records", used: plan.record_count, limit: plan.records_cap },
  {
    what: "Images",
    used: plan.storage_bytes / limits.bytesPerMegabyte,
    limit: plan.storage_mb,
    words: sizeText,
  },
  { what: mailsToday, used: plan.mails_today, limit: plan.mails_per_day },
];

/** Lists the limits that are reached, and what to do. */
const Reached = ({ plan }: { plan: Used }) => {
  const full = usesOf(plan).flatMap(({ what, used, limit }) => (limit !== null && used >= limit ? what : []));
  return (
    full.length > 0 && (
      <Note tone="warn" heading={`Limit reached: ${full.join(", ").toLowerCase()}`}>
        <p>
          {full.some((what) => what !== mailsToday) &&
            "Everything you have is kept, but this plan has no room for more. "}
          {full.includes(mailsToday) && "Reviews can be e-mailed again from 00:00 UTC. "}
          <a href="#plans-heading">See all plans</a>
        </p>
      </Note>
    )
  );
};

const Usage = ({ plan }: { plan: Used }) => (
  <Card id="usage" heading="What you use">
    <Uses uses={usesOf(plan)} />
    {plan.api_access && (
      <p class="hint">
        All tokens together may make {formatted(plan.requests_per_minute)} requests a minute. The daily e-mail
        limit resets at 00:00 UTC.
      </p>
    )}
    {plan.features.length > 0 && (
      <p class="hint">
        Also enabled: {plan.features.map((feature) => featureTexts[feature] ?? feature).join(", ")}.
      </p>
    )}
  </Card>
);

interface Use {
  what: string;
  used: number;
  /** Null if there is no limit. */
  limit: number | null;
  words?: (figure: number) => string;
}

/** How much of each limit is used. */
export const Uses = ({ uses }: { uses: readonly Use[] }) => (
  <>
    {uses.map(({ what, used, limit, words = formatted }) => {
      const text = limit === null ? `${words(used)}, no limit` : `${words(used)} of ${words(limit)}`;
      return (
        <div class="use">
          <div>
            <strong>{what}</strong>
            <span>{text}</span>
          </div>
          {limit !== null && <Meter label={`${what}: ${text}`} used={used} of={limit} kind="usage" />}
        </div>
      );
    })}
  </>
);

const OnePlan = ({ plan, isCurrent }: { plan: Plan; isCurrent: boolean }) => (
  <section class={isCurrent ? "card current" : "card"}>
    <header>
      <h3>{planName(plan.name)}</h3>
      {isCurrent && <Badge tone="link">Yours</Badge>}
    </header>
    <ul class="small muted">
      <li>
        {plan.deliverable_cap === null ? "No limit on deliverables" : `${plan.deliverable_cap} deliverables`}
      </li>
      <li>
        {plan.api_access
          ? `${formatted(plan.requests_per_minute)} API requests a minute`
          : "No tokens, no webhooks"}
      </li>
      <li>{formatted(plan.mails_per_day)} e-mails a day</li>
      {plan.storage_mb !== null && <li>{sizeText(plan.storage_mb)} of images</li>}
    </ul>
  </section>
);

/** Says whom to ask, because admins cannot change the plan themselves. */
const Move = ({ c, email, plan }: { c: C; email: string; plan: string }) => {
  const { name, slug } = c.get("workspace");
  const subject = encodeURIComponent(`${name} (${slug}): another plan than ${planName(plan)}`);
  return email === "" ? (
    <p class="hint">
      To change the plan, <a href="/docs/support">ask support</a>.
    </p>
  ) : (
    <div class="actions">
      <Button kind="quiet" icon="mail" href={`mailto:${email}?subject=${subject}`}>
        Contact us to change the plan
      </Button>
    </div>
  );
};
