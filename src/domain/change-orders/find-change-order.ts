import { ChangeOrder } from "../../contract/workspace/records.ts";
import { records } from "../../db/records.ts";
import { changeOrders } from "../../db/schema/review.ts";

export const { find: findChangeOrder } = records(changeOrders, ChangeOrder, {});
