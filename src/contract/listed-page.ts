import * as z from "zod";
import { idInput } from "./fields.ts";
import { limits } from "./limits.ts";

/** What a list of members, tokens or origins takes; `cursor`: the last id of the previous page. */
export const listedPage = {
  limit: z
    .int()
    .min(limits.pageSizeRecords.min)
    .max(limits.pageSizeRecords.max)
    .default(limits.pageSizeRecords.default),
  cursor: idInput.optional(),
};
