import type { Staff } from "../../core/actor.ts";
import type { Context } from "../../core/context.ts";
import type { Query } from "../../db/query.ts";
import type { TokenActor } from "../../workspace/tokens/principal.ts";
import { clientResource } from "./read-clients.ts";
import type { Client, NewClient } from "./record.ts";

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
