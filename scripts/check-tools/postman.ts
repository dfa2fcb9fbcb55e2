import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { startService, stateDirectory } from "../../test/operations/service.ts";

/** Runs each call of the collection against a new service with Postman's runner, and returns the problems. */
export async function checkByPostman(newman: string): Promise<string[]> {
  const state = stateDirectory();
  const service = await startService(state.directory);
  const collection = `${service.server.base_url}/docs/partner-api.postman_collection.json`;
  try {
    await promisify(execFile)(newman, ["run", collection], { maxBuffer: 1e8 });
    console.log("✓ newman: every call of the Postman collection succeeds");
    return [];
  } catch (error) {
    return [`newman:\n${(error as { stdout: string }).stdout}`];
  } finally {
    await service.end();
    state.remove();
  }
}
