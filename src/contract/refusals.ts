import { answerRefusals } from "./refusals/answers.ts";
import { guardRefusals } from "./refusals/guards.ts";
import { moveRefusals } from "./refusals/moves.ts";
import { notFoundRefusals } from "./refusals/not-found.ts";
import { operationRefusals } from "./refusals/operations.ts";
import { reviews } from "./refusals/reviews.ts";

/** All refusals by name, for every entry point. */
export const refusals = {
  ...answerRefusals,
  ...guardRefusals,
  ...moveRefusals,
  ...notFoundRefusals,
  ...operationRefusals,
  ...reviews,
} as const;
