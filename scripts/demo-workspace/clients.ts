import { exampleDeliverable } from "../../src/review/deliverables/record.ts";
import { exampleSignOff } from "../../src/review/sign-offs/record.ts";
import { exampleClient } from "../../src/work/clients/record.ts";
import { exampleInvoice } from "../../src/work/invoices/record.ts";
import { exampleProject } from "../../src/work/projects/record.ts";
import { exampleTimeEntry } from "../../src/work/time-entries/record.ts";
import type { ClientDocument, InvoiceDocument, InvoiceStep } from "./document.ts";
import { type Moments, team } from "./moments.ts";
import { loggedTime } from "./time-entries.ts";

export function clientDocuments(moments: Moments): ClientDocument[] {
  const logged = loggedTime(moments);
  return [northwind, museum, kaffa, lind, yoga, theatre, kitchen, okafor, bakery, press]
    .map((client) => client(moments))
    .map((client) => ({
      ...client,
      projects: client.projects?.map((project) => ({
        ...project,
        time_entries: [...(project.time_entries ?? []), ...(logged.get(project.name) ?? [])],
      })),
    }));
}

const vat = 19;

/** An invoice with one line item, due 30 days after it is issued. */
const invoiceOf = (
  { day, at }: Moments,
  {
    project,
    description,
    net,
    issued,
  }: { project?: string; description: string; net: number; issued: number },
  ...steps: InvoiceStep[]
): InvoiceDocument => ({
  at: at(issued - 1, "15:30"),
  ...(project !== undefined && { project }),
  due_date: day(issued + 30),
  line_items: [{ description, quantity: 1, unit_price: net, tax_rate: vat }],
  history: [{ at: at(issued, "09:05"), status: "open" }, ...steps],
});

const gross = (net: number) => Math.round(net * (100 + vat)) / 100;

const northwind = (moments: Moments): ClientDocument => {
  const { day, at, hoursAgo } = moments;
  return {
    id: exampleClient.id,
    at: at(-205, "09:00"),
    company_name: "Northwind Outdoor",
    client_name: "Mara Lindqvist",
    email: "mara@northwind.example",
    external_id: "crm-1001",
    projects: [
      {
        id: exampleProject.id,
        at: at(-72, "10:00"),
        name: "Website relaunch",
        description: "New shop and brand pages",
        included_revision_rounds: 4,
        start_date: day(-70),
        end_date: day(50),
        milestones: [
          { name: "Concept", due_date: day(-48), amount: 4000, status: "completed" },
          { name: "Design", due_date: day(10), amount: 6500, status: "in_progress" },
          { name: "Launch", due_date: day(50), amount: 5200 },
        ],
        deposit: { amount: 3000, at: at(-72, "10:20"), clearedAt: at(-70, "08:15") },
        time_entries: [
          { description: "Kick-off workshop", spent_date: day(-69), hours: 6, hourly_rate: 95, by: team.ida },
          {
            id: exampleTimeEntry.id,
            description: "Wireframes",
            spent_date: day(-44),
            hours: 7.5,
            hourly_rate: 95,
            by: team.priya,
          },
          { description: "Design review", spent_date: day(-8), hours: 1.25, hourly_rate: 95, by: team.ida },
        ],
        change_orders: [
          {
            title: "Gift cards in the checkout",
            amount: 1800,
            sentAt: at(-6, "13:10"),
            outcome: { status: "signed", at: hoursAgo(19.5) },
          },
          { title: "Swedish translation", amount: 2400, sentAt: hoursAgo(5.2) },
        ],
      },
      {
        at: at(-120, "09:30"),
        name: "Photo library",
        description: "No allowance: as many revisions as it takes",
      },
      { at: at(-30, "11:00"), name: "Winter campaign", included_revision_rounds: 1, end_date: day(24) },
    ],
    invoices: [
      {
        id: exampleInvoice.id,
        at: hoursAgo(26),
        project: "Website relaunch",
        due_date: day(30),
        notes: "Not issued yet",
        line_items: [
          { description: "Design, first half", quantity: 1, unit_price: 3250, tax_rate: vat },
          {
            description: "Wireframes",
            quantity: 7.5,
            unit_price: 95,
            tax_rate: vat,
            time_entry: "Wireframes",
          },
        ],
      },
      {
        at: at(-62, "09:00"),
        project: "Website relaunch",
        due_date: day(-32),
        line_items: [
          {
            description: "Kick-off workshop",
            quantity: 6,
            unit_price: 95,
            tax_rate: vat,
            time_entry: "Kick-off workshop",
          },
        ],
        history: [
          { at: at(-62, "09:20"), status: "open" },
          { at: at(-41, "07:50"), paid: 678.3, via: "stripe" },
        ],
      },
      invoiceOf(
        moments,
        { project: "Website relaunch", description: "Concept", net: 4000, issued: -25 },
        { at: hoursAgo(15.2), paid: 1500 },
      ),
      invoiceOf(moments, { project: "Winter campaign", description: "Key visual", net: 2200, issued: -12 }),
    ],
    deliverables: [
      {
        id: exampleDeliverable.id,
        at: at(-13, "10:12"),
        title: "Homepage hero",
        project: "Website relaunch",
        image: "homepage-1.webp",
        history: [
          {
            at: at(-13, "10:20"),
            sent: { by: team.ida, message: "A first direction. Please look at the headline above all." },
          },
          {
            at: at(-12, "08:41"),
            feedback: {
              kind: "change_request",
              body: "Lovely mountains! But it feels like spring. Could it be an evening in November?",
              author_name: "Mara Lindqvist",
            },
          },
          { at: at(-7, "15:58"), version: { image: "homepage-2.webp", note: "An evening sky" } },
          { at: at(-7, "16:02"), sent: { by: team.ida, message: "Here is your evening." } },
          {
            at: at(-6, "09:12"),
            feedback: {
              kind: "change_request",
              body: "Love the dark direction. The headline should be much bigger, and the orange button fights with the jackets.",
              author_name: "Mara Lindqvist",
            },
          },
          {
            at: at(-2, "16:36"),
            version: { image: "homepage-3.webp", note: "Bigger headline, softer button" },
          },
          {
            at: at(-2, "16:40"),
            sent: {
              by: team.ida,
              message:
                "The headline is 60 % bigger and the button now takes its colour from the sun. Could you check the wording of the button too?",
            },
          },
          {
            at: hoursAgo(9.1),
            feedback: {
              kind: "comment",
              body: "This is it. Don’t touch it.",
              author_name: "Mara Lindqvist",
              anchor: { x: 0.565, y: 0.25 },
            },
          },
          {
            at: hoursAgo(9),
            feedback: {
              kind: "comment",
              body: "Can it say “See the jackets”? That is what people look for.",
              author_name: "Mara Lindqvist",
              anchor: { x: 0.215, y: 0.76 },
            },
          },
        ],
      },
      {
        at: at(-4, "11:30"),
        title: "Product page",
        project: "Website relaunch",
        embed_url: "https://www.figma.com/design/Nw4kQ8sLr2VbTy6PzXc1Ef/Product-page",
      },
      {
        at: at(-9, "14:00"),
        title: "Checkout flow",
        project: "Website relaunch",
        embed_url: "https://www.figma.com/proto/Bt7mZ3xKd9HgWq5RvNj2La/Checkout-flow",
        history: [
          { at: at(-9, "14:10"), sent: { by: team.priya, message: "You can click through all of it." } },
          {
            at: hoursAgo(21.4),
            feedback: {
              kind: "change_request",
              body: "Could the delivery options come before the payment?",
              author_name: "Mara Lindqvist",
            },
          },
        ],
      },
      {
        at: at(-18, "09:40"),
        title: "Campaign key visual",
        project: "Winter campaign",
        embed_url: "https://www.figma.com/design/Hk2vC6yPn8TdSw4MqGb7Xr/Key-visual",
        history: [
          { at: at(-18, "09:45"), sent: { by: team.ida } },
          {
            at: at(-17, "12:30"),
            feedback: {
              kind: "change_request",
              body: "A colder blue, please",
              author_name: "Mara Lindqvist",
            },
          },
          {
            at: hoursAgo(18),
            version: {
              embed_url: "https://www.figma.com/design/Hk2vC6yPn8TdSw4MqGb7Xr/Key-visual-2",
              note: "Colder blue",
            },
          },
          { at: hoursAgo(17.8), sent: { by: team.ida, message: "Blue as ice." } },
        ],
      },
      {
        at: at(-52, "10:00"),
        title: "Brand guide",
        embed_url: "https://docs.google.com/presentation/d/1xKq8TzVn4RbLw7YhPd2SfGc9MjE5uA3oB6iNtXkZrCv/edit",
        history: [
          { at: at(-52, "10:05"), sent: { by: team.jonas } },
          {
            at: at(-51, "13:20"),
            feedback: { kind: "comment", body: "Looks right to me.", author_name: "Mara Lindqvist" },
          },
          { at: at(-50, "08:30"), signed_off_by: "Mara Lindqvist" },
        ],
      },
    ],
  };
};

const museum = (moments: Moments): ClientDocument => {
  const { day, at, hoursAgo } = moments;
  return {
    at: at(-150, "10:00"),
    company_name: "Museum of Craft",
    client_name: "Elin Sandberg",
    email: "elin@museumofcraft.example",
    external_id: "crm-1003",
    projects: [
      {
        at: at(-88, "09:00"),
        name: "The Colour of Glass",
        description: "Posters, wall texts and an invitation",
        included_revision_rounds: 3,
        start_date: day(-85),
        end_date: day(40),
        milestones: [
          { name: "Poster", due_date: day(6), amount: 3200, status: "in_progress" },
          { name: "Wall texts", due_date: day(28), amount: 2800 },
        ],
        change_orders: [
          {
            title: "Tram posters",
            amount: 950,
            sentAt: at(-16, "10:30"),
            outcome: { status: "declined", at: at(-14, "16:05") },
          },
        ],
      },
      { at: at(-60, "13:00"), name: "Annual report", included_revision_rounds: 2, end_date: day(70) },
    ],
    invoices: [
      invoiceOf(
        moments,
        { project: "The Colour of Glass", description: "Exhibition identity", net: 4800, issued: -74 },
        { at: at(-49, "10:00"), paid: gross(4800) },
      ),
      invoiceOf(
        moments,
        { project: "The Colour of Glass", description: "Poster, first half", net: 1600, issued: -33 },
        { at: at(-2, "00:10"), status: "overdue" },
      ),
      invoiceOf(
        moments,
        { project: "Annual report", description: "Design of the spreads", net: 2750, issued: -20 },
        { at: hoursAgo(7.6), paid: gross(2750), via: "stripe" },
      ),
      {
        at: hoursAgo(50),
        project: "The Colour of Glass",
        due_date: day(30),
        line_items: [
          { description: "Poster, second half", quantity: 1, unit_price: 1600, tax_rate: vat },
          { description: "Proofs", quantity: 4, unit_price: 45, tax_rate: vat },
        ],
        history: [{ at: hoursAgo(3.4), status: "open" }],
      },
    ],
    deliverables: [
      {
        at: at(-11, "09:20"),
        title: "Exhibition poster",
        project: "The Colour of Glass",
        image: "poster-1.webp",
        history: [
          { at: at(-11, "09:30"), sent: { by: team.noor, message: "Three sheets of glass, nothing else." } },
          {
            at: at(-9, "11:15"),
            feedback: {
              kind: "change_request",
              body: "Beautiful. On the tram it has to be read from ten metres: could the title be larger, on a dark ground?",
              author_name: "Elin Sandberg",
            },
          },
          { at: hoursAgo(13), version: { image: "poster-2.webp", note: "Dark ground, larger title" } },
          { at: hoursAgo(12.6), sent: { by: team.noor, message: "Readable from across the street now." } },
          {
            at: hoursAgo(2.3),
            feedback: {
              kind: "comment",
              body: "Our director wants to see it tomorrow. I like it a lot.",
              author_name: "Elin Sandberg",
            },
          },
        ],
      },
      {
        at: hoursAgo(23),
        title: "Annual report, first spreads",
        project: "Annual report",
        embed_url: "https://docs.google.com/presentation/d/1Lq5WvTb8NyXk3ZpRc7MdGf2HsJ9uE4aB6oKiVtCxYwP/edit",
        history: [{ at: hoursAgo(22.7), sent: { by: team.jonas, message: "Six spreads to choose from." } }],
      },
    ],
  };
};

const kaffa = (moments: Moments): ClientDocument => {
  const { day, at, hoursAgo } = moments;
  return {
    at: at(-110, "11:00"),
    company_name: "Kaffa Roasters",
    client_name: "Dawit Bekele",
    email: "dawit@kaffa.example",
    external_id: "crm-1004",
    projects: [
      {
        at: at(-80, "09:00"),
        name: "Packaging 2027",
        description: "Bags for three coffees",
        included_revision_rounds: 2,
        start_date: day(-78),
        end_date: day(12),
        milestones: [
          { name: "Design", due_date: day(-9), amount: 5400, status: "completed" },
          { name: "Print data", due_date: day(12), amount: 1200, status: "in_progress" },
        ],
      },
      { at: at(-40, "10:00"), name: "Online shop", included_revision_rounds: 3, start_date: day(-35) },
    ],
    invoices: [
      invoiceOf(
        moments,
        { project: "Packaging 2027", description: "Label system", net: 2700, issued: -60 },
        { at: at(-34, "12:00"), paid: gross(2700) },
      ),
      invoiceOf(
        moments,
        { project: "Packaging 2027", description: "Packaging design", net: 2700, issued: -9 },
        { at: hoursAgo(10.3), paid: gross(2700), via: "stripe" },
      ),
      invoiceOf(
        moments,
        { project: "Online shop", description: "Shop set-up", net: 3900, issued: -28 },
        { at: at(-10, "10:00"), paid: 2000 },
      ),
    ],
    deliverables: [
      {
        id: exampleSignOff.deliverable_id,
        at: at(-24, "09:00"),
        title: "Coffee bags",
        project: "Packaging 2027",
        image: "packaging-1.webp",
        history: [
          {
            at: at(-24, "09:10"),
            sent: { by: team.priya, message: "Kraft paper, one colour for each coffee." },
          },
          {
            at: at(-22, "15:45"),
            feedback: {
              kind: "change_request",
              body: "On the shelf they all look alike. Can the whole bag take the colour?",
              author_name: "Dawit Bekele",
            },
          },
          {
            at: at(-15, "11:00"),
            version: { image: "packaging-2.webp", note: "The bag carries the colour" },
          },
          {
            at: at(-15, "11:05"),
            sent: { by: team.priya, message: "Now you can tell them apart with your eyes half open." },
          },
          {
            at: at(-14, "07:30"),
            feedback: { kind: "comment", body: "Wonderful!", author_name: "Dawit Bekele" },
          },
          { at: at(-14, "07:34"), signed_off_by: "Dawit Bekele" },
        ],
      },
      {
        at: hoursAgo(21),
        title: "Shop, first screens",
        project: "Online shop",
        embed_url: "https://miro.com/app/board/uXjVKq3Zt8M=/",
        history: [
          { at: hoursAgo(20.6), sent: { by: team.jonas } },
          {
            at: hoursAgo(13.9),
            feedback: {
              kind: "comment",
              body: "Where do subscriptions go?",
              author_name: "Dawit Bekele",
            },
          },
        ],
      },
    ],
  };
};

const lind = (moments: Moments): ClientDocument => {
  const { day, at, hoursAgo } = moments;
  return {
    at: at(-95, "09:00"),
    company_name: "Lind & Partners",
    client_name: "Karin Lind",
    email: "karin@lindpartners.example",
    external_id: "crm-1005",
    projects: [
      {
        at: at(-86, "09:00"),
        name: "Rebrand",
        description: "Name, logo and stationery of a law firm",
        included_revision_rounds: 3,
        start_date: day(-84),
        end_date: day(30),
        deposit: { amount: 2500, at: at(-86, "09:30"), clearedAt: at(-83, "10:00") },
      },
      { at: at(-3, "15:00"), name: "Intranet", start_date: day(20) },
    ],
    invoices: [
      invoiceOf(
        moments,
        { project: "Rebrand", description: "Brand workshop", net: 3300, issued: -70 },
        { at: at(-52, "14:00"), paid: gross(3300) },
      ),
      invoiceOf(
        moments,
        { project: "Rebrand", description: "Logo", net: 5200, issued: -44 },
        { at: at(-13, "00:10"), status: "overdue" },
      ),
      {
        at: hoursAgo(30),
        project: "Intranet",
        line_items: [{ description: "Concept", quantity: 12, unit_price: 110, tax_rate: vat }],
      },
    ],
    deliverables: [
      {
        at: at(-34, "09:00"),
        title: "Logo",
        project: "Rebrand",
        embed_url: "https://www.figma.com/design/Ty6PzXc1EfNw4kQ8sLr2Vb/Lind-logo",
        history: [
          { at: at(-34, "09:05"), sent: { by: team.ida } },
          { at: at(-31, "16:20"), signed_off_by: "Karin Lind" },
        ],
      },
      {
        at: hoursAgo(19),
        title: "Business cards",
        project: "Rebrand",
        embed_url: "https://www.figma.com/design/Wq5RvNj2LaBt7mZ3xKd9Hg/Business-cards",
        history: [
          { at: hoursAgo(18.4), sent: { by: team.ida, message: "Both sides, on two papers." } },
          {
            at: hoursAgo(6.7),
            feedback: { kind: "comment", body: "The heavier paper.", author_name: "Karin Lind" },
          },
        ],
      },
    ],
  };
};

const yoga = (moments: Moments): ClientDocument => {
  const { at, hoursAgo } = moments;
  return {
    at: at(-58, "09:00"),
    company_name: "Harbour Yoga",
    client_name: "Sofie Dahl",
    email: "sofie@harbouryoga.example",
    external_id: "crm-1006",
    projects: [{ at: at(-55, "09:00"), name: "Booking site", included_revision_rounds: 2 }],
    invoices: [
      invoiceOf(
        moments,
        { project: "Booking site", description: "Timetable and booking", net: 1900, issued: -36 },
        { at: at(-8, "18:30"), paid: gross(1900), via: "stripe" },
      ),
      {
        at: hoursAgo(40),
        project: "Booking site",
        line_items: [{ description: "Photographs", quantity: 1, unit_price: 480, tax_rate: vat }],
        history: [{ at: hoursAgo(8.3), status: "open" }],
      },
    ],
  };
};

const theatre = (moments: Moments): ClientDocument => {
  const { at, hoursAgo } = moments;
  return {
    at: at(-49, "09:00"),
    company_name: "Blue Door Theatre",
    client_name: "Anton Reyes",
    email: "anton@bluedoor.example",
    external_id: "crm-1007",
    projects: [{ at: at(-45, "09:00"), name: "Season programme", included_revision_rounds: 2 }],
    invoices: [
      invoiceOf(
        moments,
        { project: "Season programme", description: "Programme, 24 pages", net: 2100, issued: -29 },
        { at: hoursAgo(4.4), paid: gross(2100) },
      ),
      {
        at: at(-6, "10:00"),
        line_items: [{ description: "Tickets, wrong quantity", quantity: 1, unit_price: 90, tax_rate: vat }],
        history: [
          { at: at(-5, "09:00"), status: "open" },
          { at: at(-5, "09:40"), status: "void" },
        ],
      },
    ],
  };
};

const kitchen = (moments: Moments): ClientDocument => {
  const { at, hoursAgo, day } = moments;
  return {
    at: at(-33, "09:00"),
    company_name: "Greenhouse Kitchen",
    client_name: "Mateo Silva",
    email: "mateo@greenhouse.example",
    external_id: "crm-1008",
    projects: [{ at: at(-32, "09:00"), name: "Menu and signage", included_revision_rounds: 2 }],
    invoices: [
      {
        at: hoursAgo(60),
        project: "Menu and signage",
        due_date: day(14),
        line_items: [{ description: "Menu", quantity: 1, unit_price: 1150, tax_rate: vat }],
        history: [
          { at: hoursAgo(16.5), status: "open" },
          { at: hoursAgo(1.2), paid: gross(1150), via: "stripe" },
        ],
      },
    ],
    deliverables: [
      {
        at: hoursAgo(23.6),
        title: "Menu",
        project: "Menu and signage",
        embed_url: "https://www.figma.com/design/Zx9KdHgWq5RvNj2LaBt7m3/Menu",
        history: [{ at: hoursAgo(23.2), sent: { by: team.priya, message: "With the new prices." } }],
      },
    ],
  };
};

const okafor = ({ at }: Moments): ClientDocument => ({
  at: at(-190, "09:00"),
  client_name: "Tomas Okafor",
  external_id: "crm-1002",
  projects: [{ at: at(-188, "09:00"), name: "Portrait series", status: "completed" }],
  deliverables: [
    {
      at: at(-100, "09:00"),
      title: "Contact sheet",
      project: "Portrait series",
      embed_url: "https://www.figma.com/design/Ks8TdSw4MqGb7XrHk2vC6y/Contact-sheet",
    },
  ],
});

const bakery = ({ at }: Moments): ClientDocument => ({
  at: at(-209, "09:00"),
  company_name: "Sample Bakery",
  client_name: "Sam Sample",
  email: "sam@bakery.example",
  sample: true,
  projects: [{ at: at(-209, "09:00"), name: "Sample project", included_revision_rounds: 3 }],
  deliverables: [
    {
      at: at(-209, "09:01"),
      title: "Sample poster",
      project: "Sample project",
      embed_url: "https://www.figma.com/design/Sm1PlePo5TeRq7WxYz3AbC/Sample-poster",
    },
  ],
});

const press = ({ at }: Moments): ClientDocument => ({
  at: at(-200, "09:00"),
  company_name: "Old Mill Press",
  email: "office@oldmill.example",
  status: "archived",
  projects: [{ at: at(-199, "09:00"), name: "Letterhead", status: "archived" }],
});
