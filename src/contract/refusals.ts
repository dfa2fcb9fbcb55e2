import { answers } from "./refusals/answers.ts";
import { operations } from "./refusals/operations.ts";
import { reviews } from "./refusals/reviews.ts";

/** Every refusal by its name, whichever door it leaves by. */
export const refusals = { ...answers, ...operations, ...reviews } as const;
