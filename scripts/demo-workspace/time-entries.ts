import type { TimeEntryDocument } from "./document.ts";
import { type Moments, team } from "./moments.ts";

/** The team's work on each project, by days before today. */
const routines = {
  "Website relaunch": {
    since: -71,
    by: [team.priya, team.noor, team.jonas],
    rate: 95,
    work: [
      "Component library",
      "Product page layout",
      "Checkout prototype",
      "Accessibility review",
      "Call with the shop team",
      "Responsive images",
    ],
  },
  "Photo library": {
    since: -119,
    by: [team.noor],
    rate: 80,
    work: ["Picture selection", "Retouching", "Tagging"],
  },
  "Winter campaign": {
    since: -29,
    by: [team.ida, team.priya],
    rate: 95,
    work: ["Key visual", "Banner formats", "Copy"],
  },
  "The Colour of Glass": {
    since: -87,
    by: [team.ida, team.noor],
    rate: 90,
    work: ["Poster design", "Wall texts", "Proofs with the printer"],
  },
  "Annual report": { since: -59, by: [team.jonas], rate: 90, work: ["Page grid", "Charts", "Corrections"] },
  "Packaging 2027": {
    since: -79,
    by: [team.priya, team.ida],
    rate: 95,
    work: ["Label system", "Mock-ups", "Print data"],
  },
  "Online shop": {
    since: -39,
    by: [team.jonas, team.priya],
    rate: 100,
    work: ["Catalogue import", "Payment page"],
  },
  Rebrand: {
    since: -85,
    by: [team.ida],
    rate: 110,
    work: ["Logo variants", "Type trials", "Brand workshop"],
  },
  "Booking site": { since: -54, by: [team.noor], rate: 85, work: ["Timetable", "Booking form"] },
  "Menu and signage": { since: -31, by: [team.priya], rate: 85, work: ["Menu layout", "Sign sketches"] },
} as const;

/** The order in which the team works on projects. Urgent projects appear more often. */
const rota = [
  "Website relaunch",
  "The Colour of Glass",
  "Packaging 2027",
  "Website relaunch",
  "Rebrand",
  "Winter campaign",
  "Website relaunch",
  "Online shop",
  "Annual report",
  "Booking site",
  "Photo library",
  "Menu and signage",
] as const satisfies readonly (keyof typeof routines)[];

const hours = [3.5, 1.25, 6, 2, 4.5, 0.75, 2.5, 7, 1.5, 3] as const;

const lastDays = 90;
const isWeekend = (day: string) => [0, 6].includes(new Date(day).getUTCDay());

/** Together with the entries that are billed on invoices, these are 150. */
const entryCount = 147;

/** Entries by project, spread over the working days of the last 90 days. Each project cycles through its tasks. */
export function loggedTime({ day }: Moments): ReadonlyMap<string, TimeEntryDocument[]> {
  const days = Array.from({ length: lastDays }, (_, index) => day(index - lastDays)).filter(
    (one) => !isWeekend(one),
  );
  const byProject = new Map<string, TimeEntryDocument[]>();
  for (let index = 0; index < entryCount; index++) {
    const spent_date = pick(days, Math.floor((index * days.length) / entryCount));
    const begun = rota.filter((name) => day(routines[name].since) <= spent_date);
    const project = pick(begun, index);
    const { by, rate, work } = routines[project];
    const turn = Math.floor(index / rota.length);
    const entry: TimeEntryDocument = {
      description: pick<string>(work, turn),
      spent_date,
      hours: pick(hours, index * 3),
      by: pick<string>(by, turn),
      ...(index % 9 === 4 ? { billable: false } : { hourly_rate: rate }),
    };
    byProject.set(project, [...(byProject.get(project) ?? []), entry]);
  }
  return byProject;
}

function pick<T>(from: readonly T[], index: number): T {
  const found = from[index % from.length];
  if (found === undefined) throw new Error("there is nothing to pick from");
  return found;
}
