import { Refusal } from "../../contract/refusal.ts";
import { run } from "../../db/query.ts";
import { returnedDeliverables } from "../../review/returned-mails/read-returned.ts";
import { Usage } from "../../workspace/request-log/usage.ts";
import { Button } from "../parts/button.tsx";
import { Card, Empty, Note } from "../parts/card.tsx";
import { Chart } from "../parts/chart.tsx";
import { Stats } from "../parts/figures.tsx";
import { Choices } from "../parts/navigation.tsx";
import { Cell, Table } from "../parts/table.tsx";
import { dayTick } from "../parts/time.tsx";
import { reasonText } from "./attempt-result.tsx";
import { baseOf, type C, operate } from "./page-context.ts";
import { sizeText, Uses } from "./plan.tsx";
import { requestsPath } from "./requests.tsx";
import { refusedPage, show } from "./responses.tsx";
import { ReturnedNote } from "./returned.tsx";
import { NeedsPlan, SettingsPage } from "./settings-page.tsx";
import { planName } from "./sidebar.tsx";
import { failingEndpoints, webhooksPath } from "./webhooks.tsx";

/** The periods that can be chosen, in days. */
const periods = [7, 30, 60];
const firstPeriod = 30;

export async function showOverview(c: C): Promise<Response> {
  const days = periods.find((each) => String(each) === c.req.query("days")) ?? firstPeriod;
  const usage = await operate(c, "usage", Usage, { days });
  if (usage instanceof Refusal) return refusedPage(c, usage);
  const [failing, returned] = await Promise.all([
    failingEndpoints(c),
    run(c.get("services").db, returnedDeliverables(c.get("workspace").id)),
  ]);
  return show(
    c,
    <SettingsPage
      c={c}
      heading="Overview"
      lede="How your partners use the API, and whether everything works."
      actions={<Period days={days} />}
    >
      {failing.length > 0 && (
        <Note
          tone="bad"
          heading={
            failing.length === 1 ? "One endpoint is failing" : `${failing.length} endpoints are failing`
          }
        >
          {failing.map(({ endpoint, failure }) => (
            <p>
              <bdi>{endpoint.url}</bdi>
              {failure ? `: ${reasonText(failure)}. ` : ". "}
              <a href={`${webhooksPath(c)}/${endpoint.id}`}>See why</a>
            </p>
          ))}
        </Note>
      )}
      <ReturnedNote c={c} returned={returned} withClient />
      <Figures usage={usage} />
      {usage.tokens.length > 0 ? <Requests c={c} usage={usage} /> : <NoRequests c={c} />}
      <Room c={c} usage={usage} />
    </SettingsPage>,
  );
}

const Period = ({ days }: { days: number }) => (
  <Choices
    as="segments"
    label="Period"
    choices={periods.map((each) => ({
      text: `${each} days`,
      href: `?days=${each}`,
      isCurrent: each === days,
    }))}
  />
);

const number = (figure: number): string => figure.toLocaleString("en-GB", { maximumFractionDigits: 1 });

const Figures = ({ usage: { days } }: { usage: Usage }) => {
  const sum = (name: "requests" | "refusals" | "deliveries" | "mails") =>
    days.reduce((total, day) => total + day[name], 0);
  const [requests, refusals] = [sum("requests"), sum("refusals")];
  const today = days[0];
  const soFar = (name: "requests" | "deliveries" | "mails") => `${number(today?.[name] ?? 0)} today`;
  return (
    <Stats
      figures={[
        { name: "Requests", value: number(requests), detail: soFar("requests") },
        {
          name: "Refused",
          value: requests === 0 ? "–" : `${number((refusals / requests) * 100)} %`,
          detail: `${number(refusals)} returned 4xx or 5xx`,
        },
        { name: "Delivered webhooks", value: number(sum("deliveries")), detail: soFar("deliveries") },
        { name: "E-mails", value: number(sum("mails")), detail: soFar("mails") },
      ]}
    />
  );
};

/** Labels every fifth day on the axis, or every day if there are only a few. */
const tickEvery = (count: number) => (count > 10 ? 5 : 1);

const Requests = ({ c, usage: { days, tokens } }: { c: C; usage: Usage }) => {
  const oldestFirst = days.toReversed();
  const every = tickEvery(days.length);
  return (
    <>
      <Card
        id="requests"
        heading="Requests a day"
        aside={
          <a class="small" href={`${requestsPath(c)}?status=4xx`}>
            Refused requests
          </a>
        }
      >
        <Chart
          label={`Requests in the last ${days.length} days (UTC)`}
          unit="Day (UTC)"
          points={oldestFirst.map(({ day }, index) => ({
            name: day,
            ...((days.length - 1 - index) % every === 0 && { tick: dayTick(day) }),
          }))}
          series={[
            {
              name: "Succeeded",
              fill: "a",
              values: oldestFirst.map(({ requests, refusals }) => requests - refusals),
            },
            { name: "Refused", fill: "bad", values: oldestFirst.map(({ refusals }) => refusals) },
          ]}
        />
      </Card>
      <Card flush id="tokens" heading="By token">
        <Table
          label="Requests by token"
          head={["Token", { text: "Requests", atEnd: true }, { text: "Refused", atEnd: true }]}
        >
          {tokens.map(({ id, name, requests, refusals }) => (
            <tr>
              <th scope="row">
                <a href={`${requestsPath(c)}?token=${id}`}>
                  <bdi>{name}</bdi>
                </a>
              </th>
              <Cell label="Requests" atEnd>
                {number(requests)}
              </Cell>
              <Cell label="Refused" atEnd>
                {number(refusals)}
              </Cell>
            </tr>
          ))}
        </Table>
      </Card>
    </>
  );
};

const NoRequests = ({ c }: { c: C }) =>
  c.get("workspace").api_access ? (
    <Empty
      icon="chartColumn"
      heading="No requests yet"
      actions={<Button href={`${baseOf(c)}/tokens`}>Go to the tokens</Button>}
    >
      Create a token for each program that should read or write here. Its requests are counted on this page.
    </Empty>
  ) : (
    <NeedsPlan c={c} icon="key" what="Tokens" />
  );

const Room = ({ c, usage: { room } }: { c: C; usage: Usage }) => (
  <Card
    id="room"
    heading="What you use"
    aside={
      <a class="small" href={`${baseOf(c)}/plan`}>
        {planName(room.plan)} plan
      </a>
    }
  >
    <Uses
      uses={[
        { what: "Deliverables", ...room.deliverables },
        { what: "Records", ...room.records },
        { what: "Images", ...room.image_megabytes, words: sizeText },
        { what: "E-mails today", ...room.mails_today },
      ]}
    />
  </Card>
);
