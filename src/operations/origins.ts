import * as z from "zod";
import { listedPage } from "../contract/listed-page.ts";
import { allowOrigin, findOrigin, listOrigins, removeOrigin } from "../workspace/origins/allowed-origins.ts";
import { AllowedOrigin } from "../workspace/origins/record.ts";
import { type AdminOperations, answerFromEntry, bySubject, workspaceOperation } from "./operation.ts";

const oneOrigin = z.strictObject({ origin: z.string().trim().max(2000) });

export const originOperations: AdminOperations = {
  "allow-origin": workspaceOperation({
    summary: "Allow another origin for the links in review e-mails",
    action: "allow origins",
    input: oneOrigin,
    answer: AllowedOrigin,
    run: (context, { origin }) => allowOrigin(context, origin),
    again: bySubject(findOrigin),
  }),

  "list-origins": workspaceOperation({
    summary:
      "List the origins allowed for the links in review e-mails, newest first; `cursor` is the last id of the " +
      "previous page",
    reads: true,
    action: "list origins",
    input: z.strictObject(listedPage),
    answer: z.array(AllowedOrigin),
    run: ({ services, organization }, page) => listOrigins(services.db, organization.id, page),
  }),

  "remove-origin": workspaceOperation({
    summary: "Remove an allowed origin, so that links use the application's own URL again",
    action: "remove origins",
    input: oneOrigin,
    answer: AllowedOrigin,
    run: (context, { origin }) => removeOrigin(context, origin),
    again: answerFromEntry,
  }),
};
