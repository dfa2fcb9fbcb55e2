import type { Client, NewClient } from "../../contract/resources/client.ts";
import type { Query } from "../../db/query.ts";
import type { Staff } from "../actor.ts";
import type { Context } from "../context.ts";
import type { TokenActor } from "../principal.ts";
import { clientResource } from "./read-clients.ts";

/** Writes a client. */
export const createClient = (
  { organization }: Context<Staff | TokenActor, never>,
  id: string,
  client: NewClient,
  isSample = false,
): Query<Client> =>
  clientResource.insert({
    ...client,
    id,
    organization_id: organization.id,
    is_sample: isSample,
  });
