import { records } from "../../db/records.ts";
import { Deposit } from "./record.ts";
import { deposits } from "./tables.ts";

export const { find: findDeposit } = records(deposits, Deposit, {});
