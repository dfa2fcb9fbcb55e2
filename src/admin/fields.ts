import * as z from "zod";
import { moneyInput } from "../contract/fields.ts";

/** Readings of what the command line writes as text; a value that already has its type passes as it is. */

/** `true` or `false`. */
export const flag = z
  .preprocess((value) => (value === "true" ? true : value === "false" ? false : value), z.boolean())
  .meta({ hint: "true|false" });

/** A number, judged by `schema`. */
export const number = <S extends z.ZodType<number>>(schema: S) =>
  z.preprocess(
    (value) => (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value),
    schema,
  );

/** A decimal amount of money that moved. */
export const amountInput = number(moneyInput.gt(0, "amount must be more than 0"));

/** `a,b,c`, each judged by `item`. */
export const list = <S extends z.ZodType>(item: S) =>
  z
    .preprocess(
      (value) =>
        typeof value === "string"
          ? value
              .split(",")
              .map((part) => part.trim())
              .filter((part) => part !== "")
          : value,
      z.array(item).min(1, { error: (issue) => `${(issue.path ?? []).join(".")} must name at least one` }),
    )
    .meta({ hint: "a,b,c" });

/** A field that the empty text clears. */
export const clearable = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === "" ? null : value), schema.nullable());
