import * as z from "zod";
import { idInput } from "./fields.ts";
import { limits } from "./limits.ts";

/** Query parameters for listing members, tokens or origins. `cursor` is the last id on the previous page. */
export const listedPage = {
  limit: z
    .int()
    .min(limits.pageSizeRecords.min)
    .max(limits.pageSizeRecords.max)
    .default(limits.pageSizeRecords.default),
  cursor: idInput.optional(),
};
