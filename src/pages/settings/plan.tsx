import { limits } from "../../contract/limits.ts";
import { run } from "../../db/query.ts";
import { planOf } from "../../workspace/organizations/plan-of.ts";
import { refusedPage, show } from "./answers.tsx";
import { SettingsPage, Table } from "./settings-page.tsx";
import type { C } from "./visit.ts";

const formatted = (figure: number) => figure.toLocaleString("en-GB", { maximumFractionDigits: 1 });

export async function showPlan(c: C): Promise<Response> {
  const plan = await run(c.get("services").db, planOf(c.get("workspace").id));
  if (!plan) return refusedPage(c, "plan", null);
  const used: [string, number, number | null, string][] = [
    ["Deliverables", plan.deliverable_count, plan.deliverable_cap, ""],
    ["Records", plan.record_count, plan.records_cap, ""],
    ["Images", plan.storage_bytes / limits.bytesPerMegabyte, plan.storage_mb, " MB"],
    ["Mails, today (UTC)", plan.mails_today, plan.mails_per_day, ""],
  ];
  return show(
    c,
    <SettingsPage c={c} section="plan" heading="Plan and limits">
      <p>
        Plan <strong>{plan.plan}</strong>.{" "}
        {plan.api_access
          ? "API tokens and webhooks are part of it."
          : "API tokens and webhooks need a paid plan."}{" "}
        The operator of the service changes it.
      </p>
      <Table label="Limits" head={["What", "Used", "Of"]}>
        {used.map(([what, now, most, unit]) => (
          <tr>
            <th scope="row">{what}</th>
            <td>
              {formatted(now)}
              {unit}
            </td>
            <td>
              {most === null ? "no limit" : `${formatted(most)}${unit}`}{" "}
              {most !== null && (
                <progress value={Math.min(now, most)} max={most} aria-label={`${what} used`} />
              )}
            </td>
          </tr>
        ))}
        {plan.api_access && (
          <tr>
            <th scope="row">API requests</th>
            <td />
            <td>{formatted(plan.requests_per_minute)} a minute</td>
          </tr>
        )}
      </Table>
      <p class="muted">
        Features: {plan.features.length > 0 ? plan.features.join(", ") : "none switched on"}
      </p>
    </SettingsPage>,
  );
}
