import type { Child } from "hono/jsx";
import { ColumnPage } from "../../../src/pages/layout.tsx";
import { Avatar, Machine, Mark } from "../../../src/pages/parts/avatar.tsx";
import { Badge, type Tone } from "../../../src/pages/parts/badge.tsx";
import { Button, type ButtonKind } from "../../../src/pages/parts/button.tsx";
import { Alert, Empty, Fold, Note } from "../../../src/pages/parts/card.tsx";
import { Code, CopyField } from "../../../src/pages/parts/copy.tsx";
import { Field, Select, Tick } from "../../../src/pages/parts/field.tsx";
import { Icon } from "../../../src/pages/parts/icon.tsx";
import { NamePlate } from "../../../src/pages/parts/mark.tsx";
import { Choices, Crumbs, Pager } from "../../../src/pages/parts/navigation.tsx";
import { Cell, Table } from "../../../src/pages/parts/table.tsx";
import { When } from "../../../src/pages/parts/time.tsx";
import { Typed } from "../../../src/pages/parts/words.tsx";
import { FiguresShown } from "./figures-shown.tsx";

/** Shows every page component. Add new components here. */
export const ComponentsPage = () => (
  <ColumnPage title="Components" brand="Components">
    <h1>Components</h1>
    <Part name="Buttons">
      <Buttons />
    </Part>
    <Part name="Fields">
      <Fields />
    </Part>
    <Part name="States, people and marks">
      <States />
    </Part>
    <Part name="Banners">
      <Banners />
    </Part>
    <Part name="Table">
      <Rows />
    </Part>
    <Part name="Figures">
      <FiguresShown />
    </Part>
    <Part name="Ways around">
      <Ways />
    </Part>
    <Part name="Code and copies">
      <Copies />
    </Part>
    <Part name="Lists">
      <Lists />
    </Part>
  </ColumnPage>
);

const Part = ({ name, children }: { name: string; children: Child }) => (
  <section class="stack">
    <h2>{name}</h2>
    {children}
  </section>
);

const kinds: readonly ButtonKind[] = ["quiet", "bare", "brand", "good", "warn", "bad", "bad-quiet"];

const Buttons = () => (
  <div class="actions">
    <Button>Primary</Button>
    {kinds.map((kind) => (
      <Button kind={kind}>{kind}</Button>
    ))}
    <Button icon="plus">With an icon</Button>
    <Button kind="quiet" href="#main">
      A link
    </Button>
    <Button size="slim">slim</Button>
    <Button size="large">large</Button>
    <Button kind="quiet" icon="pencil" label="Edit" />
    <Button kind="quiet" disabled>
      disabled
    </Button>
  </div>
);

const Fields = () => (
  <form class="card form" method="get">
    <Field label="Name" name="name" hint="You see it in the requests." value="Toggl sync" />
    <Field
      label="E-mail address"
      name="email"
      type="email"
      value="mara@"
      error="Type an address like name@example.com"
    />
    <Field label="Comment" name="comment" rows={3} required={false} placeholder="What works, what doesn't?" />
    <Select
      label="Role"
      name="role"
      options={[
        ["member", "Member: no access to settings"],
        ["admin", "Admin: tokens, webhooks and members"],
      ]}
    />
    <div>
      <Tick name="scopes" value="client:read" checked>
        Read clients <code>client:read</code>
      </Tick>
      <Tick name="scopes" value="invoice:issue" disabled>
        Issue invoices <Badge>Not available yet</Badge>
      </Tick>
      <Tick name="plan" value="solo" type="radio" checked>
        Solo
      </Tick>
    </div>
  </form>
);

const tones: readonly Tone[] = ["neutral", "good", "warn", "bad", "link"];

const States = () => (
  <>
    <div class="row">
      {tones.map((tone) => (
        <Badge tone={tone}>{tone}</Badge>
      ))}
    </div>
    <div class="row">
      <Avatar name="Ida Holm" />
      <Avatar name="Noor Aziz" />
      <Avatar name="Mara Lindqvist" />
      <Avatar name="sami@lumen.example" />
      <Machine />
      <Machine icon="wrench" />
      <Mark name="Lumen Studio" />
      <NamePlate />
    </div>
  </>
);

const Banners = () => (
  <>
    <Note heading="One token hasn't been used for 90 days">
      <p>Revoke tokens that are no longer used.</p>
    </Note>
    <Note tone="good" role="status">
      <p>12 deliveries are being sent again.</p>
    </Note>
    <Note tone="warn" icon="eyeOff" heading="Copy the token now">
      <p>For your safety we can't show it again.</p>
    </Note>
    <Note tone="bad" heading="The last 11 attempts failed: the receiver returned 404">
      <p>The receiver has probably moved: nothing answers at this address.</p>
      <div class="actions">
        <Button kind="quiet" icon="refresh">
          Replay 11 deliveries
        </Button>
      </div>
    </Note>
    <Alert>
      <p>Only owners can change owners</p>
    </Alert>
    <Empty icon="key" heading="No tokens yet" actions={<Button icon="plus">Create token</Button>}>
      Create one for each program that should read or write here.
    </Empty>
  </>
);

const Rows = () => (
  <div class="card flush">
    <Table
      label="Deliveries"
      head={[
        "Event",
        "State",
        "Response",
        { text: "Attempts", atEnd: true },
        { text: "Recorded", atEnd: true },
      ]}
    >
      {(["Gave up", "Delivered"] as const).map((state) => (
        <tr>
          <th scope="row">
            <a href="#main">invoice.overdue</a>
            <small>INV-0039 · Halden Brygga</small>
          </th>
          <Cell phone="lead">
            <Badge tone={state === "Delivered" ? "good" : "bad"}>{state}</Badge>
          </Cell>
          <Cell phone="line">404 Cannot POST /hooks</Cell>
          <Cell label="Attempts" atEnd>
            1
          </Cell>
          <Cell atEnd>
            <When at="2026-01-31T09:30:00.000Z" />
          </Cell>
        </tr>
      ))}
    </Table>
  </div>
);

const Ways = () => (
  <>
    <Crumbs href="#main">Tokens</Crumbs>
    {(["segments", "chips", "tabs"] as const).map((as) => (
      <div>
        <Choices
          as={as}
          label={as}
          choices={["24 hours", "7 days", "30 days"].map((text, index) => ({
            text,
            href: "#main",
            isCurrent: index === 0,
          }))}
        />
      </div>
    ))}
    <Pager href="#main">Older tokens</Pager>
    <Fold summary="As a table">
      <p>What is shown when it is asked for.</p>
    </Fold>
  </>
);

const Copies = () => (
  <>
    <CopyField
      label="Base URL"
      id="base-url"
      value="https://api.example.com"
      hint="The same for all partners."
    />
    <Code title="A first call" id="curl">
      {"curl https://api.example.com/api-v1/token \\\n  -H 'apikey: pk_live_7Qm4sT2vXc91'"}
    </Code>
    <Typed as="blockquote">{"What somebody typed\nkeeps its lines."}</Typed>
  </>
);

const Lists = () => (
  <>
    <ol class="timeline card">
      <li>
        <span class="step bad">
          <Icon name="circleX" />
        </span>
        <div>
          <strong>Attempt 1: 503</strong>
          <small>31 January, 09:30 UTC · 96 ms</small>
        </div>
      </li>
      <li>
        <span class="step good">
          <Icon name="circleCheck" />
        </span>
        <div>
          <strong>Attempt 2: 204 in 96 ms</strong>
          <small>31 January, 09:31 UTC · 96 ms</small>
        </div>
      </li>
    </ol>
    <ol class="card flush feed">
      <li class="day">31 January</li>
      <li>
        <Avatar name="Ida Holm" />
        <p>
          <strong>Ida Holm</strong> created the token <a href="#main">Toggl sync</a>
        </p>
        <time datetime="2026-01-31T09:40:00.000Z">09:40 UTC</time>
      </li>
    </ol>
    <ul class="card listed">
      <li>
        <span class="step">
          <Icon name="message" />
        </span>
        <div>
          <strong>Reviews</strong>
          <small>Every version with its image, all comments and sign-offs</small>
        </div>
      </li>
    </ul>
  </>
);
