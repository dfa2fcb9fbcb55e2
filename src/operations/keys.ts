import * as z from "zod";
import { resealSecrets } from "../webhooks/endpoints/reseal-secrets.ts";
import { type AdminOperations, platformOperation } from "./operation.ts";

const Resealed = z.object({
  endpoints: z.int(),
  resealed: z.int(),
  unreadable: z
    .array(z.string())
    .meta({ description: "Endpoints whose secret cannot be decrypted with any configured key" }),
});

export const keyOperations: AdminOperations = {
  "reseal-webhook-secrets": platformOperation({
    summary: "Encrypt the webhook secrets of all workspaces with the newest WEBHOOK_SECRET_KEY",
    input: z.strictObject({}),
    answer: Resealed,
    run: ({ services }) => resealSecrets(services),
    isSafeToRetry: true,
  }),
};
