import { sql } from "drizzle-orm";
import { after, type Statement, view } from "../../db/trigger.ts";
import { clients, foldedLetters } from "./tables.ts";

/**
 * A sort key is the name without case and accents, then a character that sorts before all others, then the name with
 * the case of its ASCII letters swapped. The last part sorts "Emile" before "Émile", and "ada" before "Ada".
 */
const sortNames = sql`SELECT id, (
  SELECT
    group_concat(coalesce(folded, lower(letter)), '' ORDER BY place)
    || char(1)
    || group_concat(iif(letter GLOB '[A-Z]', lower(letter), upper(letter)), '' ORDER BY place)
  FROM (
    SELECT key AS place, substr(name, key + 1, 1) AS letter
    FROM json_each('[0' || replace(hex(zeroblob(length(name) - 1)), '00', ',0') || ']')
  )
  LEFT JOIN ${foldedLetters} USING (letter)
) AS sort_name
FROM (SELECT id, trim(coalesce(client_name, company_name)) AS name FROM ${clients})`;

/**
 * Maintains the sort keys for the legacy client list (contract G1), which is alphabetical and ignores case and accents.
 */
export const clientSortNameGuards: readonly Statement[] = [
  view("client_sort_names", sortNames),
  ...(
    [
      ["INSERT", "sort_name"],
      [["client_name"], "sort_name_moves"],
      [["company_name"], "sort_name_moves_with_company"],
    ] as const
  ).map(([change, suffix]) =>
    after(clients, change, suffix, ({ NEW }) => ({
      do: sql`UPDATE ${clients} SET sort_name = (SELECT sort_name FROM client_sort_names WHERE id = ${NEW.id})
        WHERE id = ${NEW.id}`,
    })),
  ),
];
