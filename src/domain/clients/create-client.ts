import type { Client, NewClient } from "../../contract/resources/client.ts";
import type { Query } from "../../db/query.ts";
import type { Authorship } from "../authorship.ts";
import { clientResource } from "./read-clients.ts";

/** Writes a client. */
export const createClient = (
  { id, organizationId }: Omit<Authorship, "actorId">,
  client: NewClient,
  isSample = false,
): Query<Client> =>
  clientResource.insert({
    ...client,
    id,
    organization_id: organizationId,
    is_sample: isSample,
  });
