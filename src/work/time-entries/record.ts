import * as z from "zod";
import {
  currency,
  date,
  dateInput,
  defaultOf,
  id,
  idInput,
  momentInput,
  money,
  moneyInput,
  optionalText,
  timestamp,
  timestampInput,
} from "../../contract/fields.ts";
import { limits } from "../../contract/limits.ts";
import { variants } from "../../contract/variants.ts";

export const TimeEntry = z
  .object({
    id,
    project_id: id,
    client_id: id,
    user_id: id.meta({ description: "The admin who created the token" }),
    description: z.string().nullable(),
    spent_date: date,
    hours: z.number(),
    started_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
    billable: z.boolean(),
    hourly_rate: money.nullable(),
    currency,
    invoice_id: id.nullable(),
    client_ref: z
      .string()
      .nullable()
      .meta({ description: "The Idempotency-Key of the request that created the entry" }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "TimeEntry" });
export type TimeEntry = z.output<typeof TimeEntry>;

export const exampleTimeEntry: TimeEntry = {
  id: "5a3c8f0e-93f0-4a57-8b3c-2f0b7c1d9e55",
  project_id: "7d0e5b1e-2f6c-4d63-8c0e-1b9a5d0c3f42",
  client_id: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11",
  user_id: "e0c1f2a3-4b5c-4d6e-8f70-8192a3b4c5d6",
  description: "Wireframes",
  spent_date: "2026-01-31",
  hours: 1.5,
  started_at: null,
  ended_at: null,
  billable: true,
  hourly_rate: 95,
  currency: "EUR",
  invoice_id: null,
  client_ref: "timer-2026-01-31-1",
  created_at: "2026-01-31T09:30:00.000Z",
  updated_at: "2026-01-31T09:30:00.000Z",
};

const longestMs = limits.entryHours.max * 3600 * 1000;
const hasTwoDecimals = (hours: number) => Math.round(hours * 100) / 100 === hours;

export const NewTimeEntry = z
  .strictObject({
    project_id: idInput,
    hours: z
      .number()
      .min(limits.entryHours.min)
      .max(limits.entryHours.max)
      .refine(hasTwoDecimals, "hours must have at most two decimal places")
      .optional()
      .meta({ description: "Can have at most two decimal places" }),
    spent_date: dateInput.optional().meta({
      description:
        "The day on which the work was done. With `started_at` and `ended_at`, the default is the calendar day " +
        "of `started_at` in the UTC offset that you sent",
    }),
    started_at: momentInput.optional(),
    ended_at: timestampInput.optional().meta({
      description: `Must be later than \`started_at\`, by at most ${limits.entryHours.max} hours`,
      example: "2026-01-31T12:00:00+01:00",
    }),
    description: optionalText(limits.noteCharacters),
    billable: z.boolean().default(true).meta(defaultOf(true)),
    hourly_rate: moneyInput.min(0).optional(),
  })
  .check(({ value: entry, issues }) => {
    const wrong = wrongTimes(entry);
    if (wrong) issues.push({ code: "custom", input: entry, message: wrong });
  })
  .meta({
    id: "NewTimeEntry",
    override: variants("oneOf", [
      { title: "By hours", required: ["hours", "spent_date"], without: ["started_at", "ended_at"] },
      { title: "By start and end", required: ["started_at", "ended_at"], without: ["hours"] },
    ]),
  });
export type NewTimeEntry = z.output<typeof NewTimeEntry>;

interface Times {
  hours?: number;
  spent_date?: string;
  started_at?: { at: string };
  ended_at?: string;
}

function wrongTimes(entry: Times): string | undefined {
  const { hours, spent_date, started_at, ended_at } = entry;
  if (hours !== undefined) {
    if (started_at !== undefined || ended_at !== undefined)
      return "hours cannot be combined with started_at and ended_at";
    return spent_date === undefined ? "spent_date is required with hours" : undefined;
  }
  if (started_at === undefined && ended_at === undefined)
    return "hours is required (or started_at and ended_at)";
  if (started_at === undefined) return "started_at is required with ended_at";
  if (ended_at === undefined) return "ended_at is required with started_at";
  const lastedMs = Date.parse(ended_at) - Date.parse(started_at.at);
  if (lastedMs <= 0) return "ended_at must be after started_at";
  if (lastedMs > longestMs) return `ended_at must be at most ${limits.entryHours.max} hours after started_at`;
  return undefined;
}
