import { sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { after, raise, type Statement } from "../../db/trigger.ts";
import { allowedOrigins } from "./tables.ts";

export const originsGuards: readonly Statement[] = [
  after(allowedOrigins, "INSERT", "room", ({ NEW }) => ({
    do: raise(
      "too_many_origins",
      sql`WHERE (SELECT count(*) FROM ${allowedOrigins}
        WHERE organization_id = ${NEW.organization_id}) > ${limits.allowedOrigins}`,
    ),
  })),
];
