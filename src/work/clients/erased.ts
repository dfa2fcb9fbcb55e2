import { sql } from "drizzle-orm";
import { clients } from "./tables.ts";

/** What stands in the place of the name of a client who was erased. */
const pseudonym = { words: "Erased client ", idCharacters: 8 };

/** Tells one erased client from another, and says nothing of who it was. */
export const pseudonymOf = (clientId: string): string =>
  pseudonym.words + clientId.slice(0, pseudonym.idCharacters);

/** Whether a client was erased: what is written of them later must hold nothing of the person, either. */
export const isErased = sql`${clients.client_name} =
  ${pseudonym.words} || substr(${clients.id}, 1, ${pseudonym.idCharacters})`;
