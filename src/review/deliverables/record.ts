import * as z from "zod";
import { isSafeAddress } from "../../contract/characters.ts";
import { currentStates, reviewStates } from "../../contract/closed-sets.ts";
import { DeliveryProblem } from "../../contract/delivery-problem.ts";
import {
  characterCount,
  clientIdInput,
  id,
  idInput,
  line,
  openEnum,
  timestamp,
} from "../../contract/fields.ts";
import { imageInput } from "../../contract/image-input.ts";
import { limits } from "../../contract/limits.ts";
import { variants } from "../../contract/variants.ts";

export const Deliverable = z
  .object({
    id,
    share_url: z.string().meta({ description: "The URL where the client reviews the deliverable" }),
    title: z.string(),
    client_id: id,
    project_id: id.nullable(),
    embed_url: z.string().nullable(),
    asset_path: z.string().nullable().meta({ description: "The image's path in our private storage" }),
    review_state: openEnum(reviewStates).meta({
      description: "The state of the review, derived by the server. Branch on this field",
    }),
    current_state: openEnum(currentStates).meta({
      description: "The stored state, which `review_state` is derived from",
    }),
    status_label: z
      .string()
      .nullable()
      .meta({ description: "For display only, because workspaces can rename their labels" }),
    version_number: z.int().meta({ description: "The newest version's number" }),
    is_sample: z.boolean().meta({
      description: "Whether this is onboarding sample data, which is never e-mailed and fires no events",
    }),
    sent_at: timestamp.nullable(),
    reminder_due_at: timestamp.nullable().meta({
      description: "When the client will be reminded; null if no reminder is pending",
    }),
    delivery_problem: DeliveryProblem.nullable().meta({
      description: "Why the latest review e-mail or its reminder failed; null if no failure is known",
    }),
    signed_off_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Deliverable" });
export type Deliverable = z.output<typeof Deliverable>;

export const exampleDeliverable: Deliverable = {
  id: "3c6e0b8a-9c15-4b7d-8f4e-5d2a1b0c9e87",
  share_url: "https://app.example.com/review/QmFzZTY0VXJsVG9rZW5XaXRoMzJD",
  title: "Homepage concept",
  client_id: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11",
  project_id: "7d0e5b1e-2f6c-4d63-8c0e-1b9a5d0c3f42",
  embed_url: "https://www.figma.com/embed?url=https%3A%2F%2Fwww.figma.com%2Ffile%2Fabc",
  asset_path: null,
  review_state: "in_review",
  current_state: "open",
  status_label: "With the client",
  version_number: 2,
  is_sample: false,
  sent_at: "2026-01-31T09:30:00.000Z",
  reminder_due_at: "2026-02-07T09:30:00.000Z",
  delivery_problem: null,
  signed_off_at: null,
  created_at: "2026-01-30T16:00:00.000Z",
  updated_at: "2026-01-31T09:30:00.000Z",
};

/** The legacy route's response, which never gains fields (contract G2). */
export const CreatedDeliverable = z
  .object({
    id,
    share_url: z.string().meta({ description: "The URL where the client reviews the deliverable" }),
  })
  .meta({ id: "CreatedDeliverable" });
export type CreatedDeliverable = z.output<typeof CreatedDeliverable>;

const notHttps = "embed_url must be an https URL";

const httpsUrl = {
  pattern: "^[Hh][Tt][Tt][Pp][Ss]://\\S+$",
  maxLength: limits.embedUrlCharacters,
  description: "An https URL",
};

export const embedUrlInput = z
  .string(notHttps)
  .trim()
  .refine((value) => characterCount(value) <= limits.embedUrlCharacters && isHttpsUrl(value), notHttps)
  .meta({ override: { type: "string", ...httpsUrl } });

/** Whether a URL is https. It is stored as sent, and parsed as browsers do. */
function isHttpsUrl(value: string): boolean {
  if (!/^https:\/\//i.test(value) || !isSafeAddress(value)) return false;
  const url = URL.parse(value);
  return url !== null && url.username === "" && url.password === "";
}

const noContent = { error: "Provide embed_url or image_base64", path: ["embed_url"] };
const content = {
  override: variants("anyOf", [
    { title: "By address", required: ["embed_url"] },
    { title: "With an image", required: ["image_base64"] },
  ]),
};

const named = {
  title: line(1, limits.titleCharacters, "title is required (1-200 chars)"),
  client_id: clientIdInput,
};

export const NewDeliverable = z
  .strictObject({
    ...named,
    project_id: idInput.optional().meta({ description: "A project of the same client" }),
    embed_url: embedUrlInput.optional(),
    image_base64: imageInput.optional(),
  })
  .refine(({ embed_url, image_base64 }) => embed_url !== undefined || image_base64 !== undefined, noContent)
  .meta({ id: "NewDeliverable", ...content });
export type NewDeliverable = z.output<typeof NewDeliverable>;

/** On the legacy route, null and "" count as absent. */
const absentIfEmpty = <T extends z.ZodType<unknown, string>>(field: T, message: string) =>
  z
    .string(message)
    .nullish()
    .transform((value) => value || undefined)
    .pipe(field.optional());

/** The legacy route's body, which ignores unknown fields (contract G2). */
export const LegacyNewDeliverable = z
  .object({
    ...named,
    embed_url: absentIfEmpty(embedUrlInput, notHttps).meta({ description: httpsUrl.description }),
    image_base64: absentIfEmpty(imageInput, "image_base64 must be a string").meta({
      description: "Raw base64 or a data: URL of a PNG, JPEG, WebP or GIF image, at most 10 MB decoded",
    }),
  })
  .refine(({ embed_url, image_base64 }) => embed_url !== undefined || image_base64 !== undefined, noContent)
  .meta({ id: "LegacyNewDeliverable", ...content });
export type LegacyNewDeliverable = z.output<typeof LegacyNewDeliverable>;
