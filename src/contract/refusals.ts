import { answerRefusals } from "./refusals/answers.ts";
import { guardRefusals } from "./refusals/guards.ts";
import { operationRefusals } from "./refusals/operations.ts";
import { reviews } from "./refusals/reviews.ts";

/** Every refusal by its name, whichever door it leaves by. */
export const refusals = { ...answerRefusals, ...guardRefusals, ...operationRefusals, ...reviews } as const;
