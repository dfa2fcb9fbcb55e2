import * as z from "zod";
import { idInput } from "./fields.ts";
import { limits } from "./limits.ts";

/** The parameters of a list of members, tokens or origins; `cursor`: the last id of the previous page. */
export const listedPage = {
  limit: z
    .int()
    .min(limits.pageSizeRecords.min)
    .max(limits.pageSizeRecords.max)
    .default(limits.pageSizeRecords.default),
  cursor: idInput.optional(),
};
