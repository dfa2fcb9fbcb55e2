import { healthLimits } from "../../contract/webhook-limits.ts";
import type { WebhookHealth } from "../../webhooks/endpoints/record.ts";
import {
  type DeliveriesOverTime,
  type Period,
  periods,
  type SpanOfDeliveries,
} from "../../webhooks/health/deliveries-over-time.ts";
import { Card } from "../parts/card.tsx";
import { Chart } from "../parts/chart.tsx";
import { Stats, upTo } from "../parts/figures.tsx";
import { Choices } from "../parts/navigation.tsx";
import { dayTick } from "../parts/time.tsx";

interface FiguresOptions {
  overTime: DeliveriesOverTime;
  period: Period;
  health: WebhookHealth;
}

const sumOf = (spans: readonly SpanOfDeliveries[], kind: "delivered" | "failed" | "dead") =>
  spans.reduce((sum, span) => sum + span[kind], 0);

/** Counts a period's deliveries by their current state. The chart shows their states over time. */
export function totalsOf({ now: { delivered, failed, dead } }: DeliveriesOverTime) {
  return { delivered, retrying: failed, gaveUp: dead, tried: delivered + failed + dead };
}

export const Figures = ({ overTime, period, health }: FiguresOptions) => {
  const { delivered, retrying, gaveUp, tried } = totalsOf(overTime);
  const within = `in ${periods[period].name}`;
  const age = health.oldest_pending_age_seconds;
  return (
    <Stats
      figures={[
        {
          name: "Delivered",
          value: tried === 0 ? "–" : `${Math.round((delivered / tried) * 100)} %`,
          detail: `${delivered} of ${tried} ${within}`,
        },
        { name: "Gave up", value: gaveUp, detail: within },
        { name: "Retrying", value: retrying, detail: "will be tried again" },
        {
          name: "Waiting",
          value: upTo(health.pending_backlog, healthLimits.waiting),
          detail: age === null ? "nothing is late" : `oldest for ${durationText(age)}`,
        },
      ]}
    />
  );
};

function durationText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

const tickEvery = { hour: 4, day: 1 } as const;

export const DeliveriesChart = ({ overTime: { spans }, period }: Omit<FiguresOptions, "health">) => {
  const { name, span, count } = periods[period];
  const every = count > 10 && span === "day" ? 5 : tickEvery[span];
  const nameOf = (at: string) => (span === "hour" ? `${at.slice(11)}:00` : at);
  return (
    <Card
      id="chart"
      heading="Deliveries"
      aside={
        <Choices
          as="segments"
          label="Period"
          choices={Object.entries(periods).map(([key, one]) => ({
            text: one.name,
            href: `?period=${key}`,
            isCurrent: key === period,
          }))}
        />
      }
    >
      <Chart
        label={`The last ${name}, UTC: ${sumOf(spans, "delivered")} delivered, ${sumOf(spans, "failed")} failed, ${sumOf(spans, "dead")} gave up`}
        unit={span === "hour" ? "Hour (UTC)" : "Day (UTC)"}
        points={spans.map(({ at }, index) => ({
          name: nameOf(at),
          ...((count - 1 - index) % every === 0 && { tick: span === "hour" ? nameOf(at) : dayTick(at) }),
        }))}
        series={[
          { name: "Delivered", fill: "good", values: spans.map(({ delivered }) => delivered) },
          { name: "Failed", fill: "warn", values: spans.map(({ failed }) => failed) },
          { name: "Gave up", fill: "bad", values: spans.map(({ dead }) => dead) },
        ]}
      />
    </Card>
  );
};
