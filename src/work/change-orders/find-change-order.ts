import { records } from "../../db/records.ts";
import { ChangeOrder } from "./record.ts";
import { changeOrders } from "./tables.ts";

export const { find: findChangeOrder } = records(changeOrders, ChangeOrder, {});
