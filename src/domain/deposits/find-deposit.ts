import { Deposit } from "../../contract/workspace/records.ts";
import { records } from "../../db/records.ts";
import { deposits } from "../../db/schema/review.ts";

export const { find: findDeposit } = records(deposits, Deposit, {});
