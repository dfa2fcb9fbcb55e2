import { expect, it } from "vitest";
import { Chart } from "./chart.tsx";

const hours = Array.from({ length: 24 }, (_, hour) => ({
  hour: `2026-01-31T${String(hour).padStart(2, "0")}`,
  delivered: 0,
  failed: 0,
  dead: 0,
}));

it("stacks what an hour saw, the busiest one up to the top, and draws nothing of nothing", () => {
  const seen = hours
    .with(2, { hour: "2026-01-31T02", delivered: 150, failed: 1, dead: 1 })
    .with(5, { hour: "2026-01-31T05", delivered: 76, failed: 0, dead: 0 });
  const text = String(<Chart hours={seen} />);
  const bars = text.matchAll(/<rect class="(\w+)" x="(\d+)" y="([\d.]+)" width="20" height="([\d.]+)"/g);
  expect([...bars].map(([, ...bar]) => bar)).toEqual([
    ["delivered", "52", "10.0", "150.0"],
    ["failed", "52", "9.0", "1.0"],
    ["dead", "52", "8.0", "1.0"],
    ["delivered", "130", "84.0", "76.0"],
  ]);
  expect(text).toContain('aria-label="The last 24 hours: 226 delivered, 1 failed, 1 dead"');
  expect(text).toContain("at most 152 in an hour, UTC");
  const names = text.matchAll(/<text x="(\d+)"[^>]*>(\d+)</g);
  expect([...names].map(([, x, hour]) => [x, hour])).toEqual(
    ["03", "07", "11", "15", "19", "23"].map((hour) => [String(Number(hour) * 26 + 10), hour]),
  );
});

it("stands empty where nothing was delivered", () => {
  expect(String(<Chart hours={hours} />)).not.toContain("<rect");
});
