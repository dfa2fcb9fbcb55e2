import { Card } from "../../../src/pages/parts/card.tsx";
import { Chart, Spark } from "../../../src/pages/parts/chart.tsx";
import { Facts, Meter, Stats } from "../../../src/pages/parts/figures.tsx";

const hours = Array.from({ length: 24 }, (_, hour) => hour);

export const FiguresShown = () => (
  <>
    <Stats
      figures={[
        { name: "Delivered", value: "83 %", detail: "68 of 82 in 24 hours" },
        { name: "Gave up", value: 11, detail: "in 24 hours" },
        { name: "Retrying", value: 3, detail: "the last attempt failed" },
      ]}
    />
    <Card id="chart" heading="Deliveries">
      <Chart
        label="Deliveries by hour"
        unit="Hour"
        points={hours.map((hour) => ({
          name: `${hour}:00`,
          ...(hour % 4 === 0 && { tick: `${hour}:00` }),
        }))}
        series={[
          { name: "Delivered", fill: "good", values: hours.map((hour) => (hour * 7) % 12) },
          { name: "Retrying", fill: "warn", values: hours.map((hour) => (hour % 9 === 0 ? 2 : 0)) },
          { name: "Gave up", fill: "bad", values: hours.map((hour) => (hour % 5 === 0 ? 3 : 0)) },
        ]}
      />
    </Card>
    <Card>
      <Spark values={[1, 4, 2, 8, 5, 7, 3]} />
      <Meter label="41 of 50" used={20} of={50} kind="usage" />
      <Meter label="41 of 50" used={41} of={50} kind="usage" />
      <Meter label="50 of 50" used={50} of={50} kind="usage" />
      <Meter label="97 of 100 arrived" used={97} of={100} kind="rate" />
      <Facts
        facts={[
          ["May read", "Clients, projects, time entries"],
          ["May write", "Time entries"],
        ]}
      />
    </Card>
  </>
);
