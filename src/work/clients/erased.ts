import { sql } from "drizzle-orm";
import { clients } from "./tables.ts";

/** What stands in the place of the name of a client who was erased. */
const pseudonym = { words: "Erased client ", idCharacters: 8 };

/** Tells one erased client from another, and says nothing of who it was. */
export const pseudonymOf = (clientId: string): string =>
  pseudonym.words + clientId.slice(0, pseudonym.idCharacters);

/** What becomes of the columns of a client that are about a person. */
export const erasedColumns = (clientId: string) => ({
  company_name: null,
  client_name: pseudonymOf(clientId),
  email: null,
  external_id: null,
});

/** The columns that hold something about a person. The cast: the keys of the object above, and no others. */
export const personalColumns = Object.keys(erasedColumns("")) as (keyof ReturnType<typeof erasedColumns>)[];

/** Whether a client was erased: what is written of them later must hold nothing of the person, either. */
export const isErased = sql`${clients.client_name} =
  ${pseudonym.words} || substr(${clients.id}, 1, ${pseudonym.idCharacters})`;
