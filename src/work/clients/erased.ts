import { sql } from "drizzle-orm";
import { clients } from "./tables.ts";

/** Stands in for an erased client's name. */
const pseudonym = { words: "Erased client ", idCharacters: 8 };

/** Returns a name that distinguishes erased clients without revealing who they were. */
export const pseudonymOf = (clientId: string): string =>
  pseudonym.words + clientId.slice(0, pseudonym.idCharacters);

/** Returns the values that replace a client's personal data. */
export const erasedColumns = (clientId: string) => ({
  company_name: null,
  client_name: pseudonymOf(clientId),
  email: null,
  external_id: null,
});

/** The columns with personal data. The cast is safe: they are exactly the keys of the object above. */
export const personalColumns = Object.keys(erasedColumns("")) as (keyof ReturnType<typeof erasedColumns>)[];

/** Whether a client was erased. Anything written about the client later must not contain personal data either. */
export const isErased = sql`${clients.client_name} =
  ${pseudonym.words} || substr(${clients.id}, 1, ${pseudonym.idCharacters})`;
