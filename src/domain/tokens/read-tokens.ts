import { ApiToken } from "../../contract/workspace/organization.ts";
import { records } from "../../db/records.ts";
import { apiTokens } from "../../db/schema/workspace.ts";

export const { find: findToken, newest: listTokens } = records(apiTokens, ApiToken, {});
