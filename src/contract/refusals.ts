import { answerRefusals } from "./refusals/answers.ts";
import { operationRefusals } from "./refusals/operations.ts";
import { reviews } from "./refusals/reviews.ts";

/** Every refusal by its name, whichever door it leaves by. */
export const refusals = { ...answerRefusals, ...operationRefusals, ...reviews } as const;
