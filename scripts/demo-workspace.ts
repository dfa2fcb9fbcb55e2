/** What the local workspace `demo` holds: enough to try every route. Days count from the day it is made. */
import { join } from "node:path";
import type { WorkspaceDocument } from "./demo-workspace/document.ts";

export const demoSlug = "demo";

const dayMs = 24 * 3600 * 1000;

const posterFile = join(import.meta.dirname, "demo", "poster.png");

export function demoWorkspace(now: Date): WorkspaceDocument {
  const day = (days: number) => new Date(now.getTime() + days * dayMs).toISOString().slice(0, 10);
  return {
    organization: {
      slug: demoSlug,
      name: "Lumen Studio",
      plan: "solo",
      currency: "EUR",
      features: ["connector_api_ingest"],
    },
    owner: { email: "owner@lumen.example", name: "Ida Holm" },
    onSendStatus: "With the client",
    clients: [
      {
        company_name: "Northwind Outdoor",
        client_name: "Mara Lindqvist",
        email: "mara@northwind.example",
        external_id: "crm-1001",
        projects: [
          {
            name: "Website relaunch",
            description: "New shop and brand pages",
            included_revision_rounds: 2,
            start_date: day(-40),
            end_date: day(50),
            milestones: [
              { name: "Concept", due_date: day(-20), amount: 4000, status: "completed" },
              { name: "Design", due_date: day(10), amount: 6500, status: "in_progress" },
              { name: "Launch", due_date: day(50), amount: 5200 },
            ],
            time_entries: [
              { description: "Kick-off workshop", spent_date: day(-38), hours: 6, hourly_rate: 95 },
              { description: "Wireframes", spent_date: day(-12), hours: 7.5, hourly_rate: 95 },
              { description: "Design review", spent_date: day(-3), hours: 1.25, hourly_rate: 95 },
            ],
          },
          {
            name: "Photo library",
            description: "No allowance: as many revisions as it takes",
            time_entries: [
              { description: "Picture selection", spent_date: day(-2), hours: 3, billable: false },
            ],
          },
          { name: "Winter campaign", included_revision_rounds: 1 },
        ],
        invoices: [
          {
            project: "Website relaunch",
            due_date: day(20),
            notes: "Not issued yet",
            line_items: [
              { description: "Design, first half", quantity: 1, unit_price: 3250, tax_rate: 19 },
              {
                description: "Wireframes",
                quantity: 7.5,
                unit_price: 95,
                tax_rate: 19,
                time_entry: "Wireframes",
              },
            ],
          },
          {
            project: "Website relaunch",
            due_date: day(12),
            line_items: [
              {
                description: "Kick-off workshop",
                quantity: 6,
                unit_price: 95,
                tax_rate: 19,
                time_entry: "Kick-off workshop",
              },
            ],
            history: ["open"],
          },
          {
            project: "Website relaunch",
            due_date: day(5),
            line_items: [{ description: "Concept", quantity: 1, unit_price: 4000, tax_rate: 19 }],
            history: ["open", 1500],
          },
          {
            due_date: day(-10),
            line_items: [{ description: "Hosting, one year", quantity: 12, unit_price: 18.5, tax_rate: 19 }],
            history: ["open", "overdue"],
          },
          {
            due_date: day(-25),
            line_items: [{ description: "Brand audit", quantity: 1, unit_price: 1200 }],
            history: ["open", 1200],
          },
          {
            line_items: [{ description: "Entered by mistake", quantity: 1, unit_price: 10 }],
            history: ["void"],
          },
        ],
        deliverables: [
          {
            title: "Product page",
            project: "Website relaunch",
            embed_url: "https://www.figma.com/file/northwind-product-page",
          },
          {
            title: "Exhibition poster",
            project: "Website relaunch",
            image: posterFile,
            history: ["sent"],
          },
          {
            title: "Homepage design",
            project: "Website relaunch",
            embed_url: "https://www.figma.com/file/northwind-homepage",
            history: ["sent"],
          },
          {
            title: "Checkout flow",
            project: "Website relaunch",
            embed_url: "https://www.figma.com/file/northwind-checkout",
            history: [
              "sent",
              {
                feedback: {
                  kind: "change_request",
                  body: "Could the delivery options come before the payment?",
                  author_name: "Mara Lindqvist",
                },
              },
            ],
          },
          {
            title: "Campaign key visual",
            project: "Winter campaign",
            embed_url: "https://www.figma.com/file/northwind-key-visual",
            history: [
              "sent",
              {
                feedback: {
                  kind: "change_request",
                  body: "A colder blue, please",
                  author_name: "Mara Lindqvist",
                },
              },
              {
                version: {
                  embed_url: "https://www.figma.com/file/northwind-key-visual-2",
                  note: "Colder blue",
                },
              },
              "sent",
            ],
          },
          {
            title: "Brand guide",
            embed_url: "https://www.figma.com/file/northwind-brand-guide",
            history: [
              "sent",
              { feedback: { kind: "comment", body: "Looks right to me", author_name: "Mara Lindqvist" } },
              { signed_off_by: "Mara Lindqvist" },
            ],
          },
        ],
      },
      {
        client_name: "Tomas Okafor",
        external_id: "crm-1002",
        projects: [{ name: "Portrait series", status: "completed" }],
        deliverables: [
          {
            title: "Contact sheet (this client has no e-mail address)",
            project: "Portrait series",
            embed_url: "https://www.figma.com/file/okafor-contact-sheet",
          },
        ],
      },
      {
        company_name: "Sample Bakery",
        client_name: "Sam Sample",
        email: "sam@bakery.example",
        sample: true,
        projects: [{ name: "Sample project", included_revision_rounds: 3 }],
        deliverables: [
          {
            title: "Sample poster",
            project: "Sample project",
            embed_url: "https://www.figma.com/file/sample-poster",
          },
        ],
      },
      { company_name: "Old Mill Press", email: "office@oldmill.example", status: "archived" },
    ],
  };
}
