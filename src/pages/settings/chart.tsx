import type { HourOfDeliveries } from "../../webhooks/health/deliveries-by-hour.ts";
import { Table } from "./settings-page.tsx";

/** In units of the picture, which scales with the page. */
const size = { bar: 20, gap: 6, height: 160, foot: 30 } as const;
const kinds = ["delivered", "failed", "dead"] as const;

/** The last 24 hours as bars, and as a table for those who do not see them. */
export const Chart = ({ hours }: { hours: readonly HourOfDeliveries[] }) => {
  const busiest = Math.max(...hours.map(({ delivered, failed, dead }) => delivered + failed + dead));
  const most = Math.max(1, busiest);
  const total = (kind: (typeof kinds)[number]) => hours.reduce((sum, hour) => sum + hour[kind], 0);
  const said = kinds.map((kind) => `${total(kind)} ${kind}`).join(", ");
  const width = hours.length * (size.bar + size.gap);
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${width} ${size.height + size.foot}`}
        role="img"
        aria-label={`The last 24 hours: ${said}`}
      >
        <line class="axis" x1="0" x2={width} y1={size.height} y2={size.height} />
        {hours.map((hour, index) => (
          <Bar hour={hour} x={index * (size.bar + size.gap)} most={most} isNamed={index % 4 === 3} />
        ))}
      </svg>
      <figcaption>
        {kinds.map((kind) => (
          <span class={`key ${kind}`}>
            {kind} {total(kind)}
          </span>
        ))}
        <span class="muted">at most {busiest} in an hour, UTC</span>
      </figcaption>
      <details>
        <summary>The same as a table</summary>
        <Table label="Deliveries by hour" head={["Hour (UTC)", "Delivered", "Failed", "Dead"]}>
          {hours.map(({ hour, delivered, failed, dead }) => (
            <tr>
              <th scope="row">{hour.slice(11)}:00</th>
              <td>{delivered}</td>
              <td>{failed}</td>
              <td>{dead}</td>
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  );
};

interface BarOptions {
  hour: HourOfDeliveries;
  x: number;
  most: number;
  isNamed: boolean;
}

const Bar = ({ hour, x, most, isNamed }: BarOptions) => {
  let top = size.height;
  return (
    <g>
      {kinds.map((kind) => {
        const height = (hour[kind] / most) * (size.height - 8);
        top -= height;
        return (
          height > 0 && (
            <rect class={kind} x={x} y={top.toFixed(1)} width={size.bar} height={height.toFixed(1)} />
          )
        );
      })}
      {isNamed && (
        <text x={x + size.bar / 2} y={size.height + 6} text-anchor="middle" dominant-baseline="hanging">
          {hour.hour.slice(11)}
        </text>
      )}
    </g>
  );
};
