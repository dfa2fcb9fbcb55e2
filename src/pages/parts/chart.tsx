import { Fold } from "./card.tsx";
import { Cell, Table } from "./table.tsx";

interface Series {
  name: string;
  fill: "good" | "warn" | "bad" | "a" | "b" | "c";
  /** One value per point. */
  values: readonly number[];
}

interface Point {
  /** Shown in the table. */
  name: string;
  /** Shown below the bar, if there is room. */
  tick?: string;
}

interface ChartOptions {
  /** What the chart shows, for readers who cannot see it. */
  label: string;
  /** The table heading for the points. */
  unit: string;
  points: readonly Point[];
  series: readonly Series[];
}

/** In pixels. Text has the same size on every screen, so the heights are fixed too. */
const plot = { top: 8, height: 176, foot: 26 } as const;
const wholeHeight = plot.top + plot.height + plot.foot;

/** A bar chart with axes, and the same data as a table. */
export const Chart = ({ label, unit, points, series }: ChartOptions) => {
  const sums = points.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const lines = linesFor(Math.max(...sums, 0));
  const top = lines.at(-1) ?? 1;
  return (
    <div class="stack">
      <div class="chart">
        <svg height={wholeHeight} aria-hidden="true">
          {lines.map((value) => (
            <text x="24" y={yOf(value, top) + 4} text-anchor="end">
              {shortNumber(value)}
            </text>
          ))}
        </svg>
        <svg height={wholeHeight} role="img" aria-label={label}>
          {lines.map((value) => (
            <line x1="0" x2="100%" y1={yOf(value, top)} y2={yOf(value, top)} />
          ))}
          {points.map((point, index) => (
            <Bar {...{ point, index, count: points.length, series, top }} />
          ))}
        </svg>
      </div>
      <Key series={series} />
      <Fold summary="As a table">
        <ChartTable {...{ label, unit, points, series }} />
      </Fold>
    </div>
  );
};

const yOf = (value: number, top: number) => plot.top + plot.height - (value / top) * plot.height;

/** Returns grid line values in three or four even steps, from zero to at least the largest value. */
function linesFor(largest: number): number[] {
  const rough = Math.max(1, largest / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 3, 5, 10].map((times) => times * power).find((size) => size * 4 >= largest) ?? rough;
  return Array.from({ length: Math.max(1, Math.ceil(largest / step)) + 1 }, (_, index) => index * step);
}

const shortNumber = (value: number) =>
  value.toLocaleString("en-GB", { notation: "compact", maximumFractionDigits: 1 });

interface BarOptions {
  point: Point;
  index: number;
  count: number;
  series: readonly Series[];
  top: number;
}

const percent = (part: number) => `${(part * 100).toFixed(2)}%`;

const Bar = ({ point, index, count, series, top }: BarOptions) => {
  let sum = 0;
  return (
    <g>
      {series.map(({ fill, values }) => {
        const value = values[index] ?? 0;
        sum += value;
        const height = (value / top) * plot.height;
        return (
          height > 0 && (
            <rect
              class={`fill-${fill}`}
              x={percent((index + 0.14) / count)}
              y={yOf(sum, top).toFixed(1)}
              width={percent(0.72 / count)}
              height={Math.max(1, height - 1).toFixed(1)}
              rx="2"
            />
          )
        );
      })}
      {point.tick && (
        <text x={percent((index + 0.5) / count)} y={wholeHeight - 6} text-anchor="middle">
          {point.tick}
        </text>
      )}
    </g>
  );
};

const Key = ({ series }: { series: readonly Series[] }) => (
  <ul class="key">
    {series.map(({ name, fill, values }) => (
      <li>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <rect class={`fill-${fill}`} width="10" height="10" rx="2.5" />
        </svg>
        {name} {values.reduce((sum, value) => sum + value, 0).toLocaleString("en-GB")}
      </li>
    ))}
  </ul>
);

const ChartTable = ({ label, unit, points, series }: ChartOptions) => (
  <Table label={label} head={[unit, ...series.map(({ name }) => ({ text: name, atEnd: true as const }))]}>
    {points.map(({ name }, index) => (
      <tr>
        <th scope="row">{name}</th>
        {series.map((one) => (
          <Cell label={one.name} atEnd>
            {one.values[index]}
          </Cell>
        ))}
      </tr>
    ))}
  </Table>
);

/** A sparkline, one line high. It has no text, because its row already does. */
export const Spark = ({ values }: { values: readonly number[] }) => {
  const largest = Math.max(1, ...values);
  return (
    <svg class="spark" aria-hidden="true">
      {values.map((value, index) => {
        const height = Math.max(1.5, (value / largest) * 24);
        return (
          <rect
            class="fill-a"
            x={percent(index / values.length)}
            y={24 - height}
            width={percent(0.85 / values.length)}
            height={height}
            rx="1"
          />
        );
      })}
    </svg>
  );
};
