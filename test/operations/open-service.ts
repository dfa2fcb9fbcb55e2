import { inject } from "vitest";
import { announcedServer, type LocalServer, stateAt } from "../../scripts/local/state.ts";
import type { AdminOutcome } from "../../src/operations/admin.ts";

export interface OpenService {
  server: LocalServer;
  stateDirectory: string;
  /** Runs an admin operation, by default in the demo workspace. Throws if it is rejected. */
  admin(operation: string, fields: Record<string, string>): Promise<Record<string, string>>;
}

async function ask<T>(what?: object): Promise<T> {
  const request = what ? { method: "POST", body: JSON.stringify(what) } : {};
  const answer = await fetch(inject("oneService"), request);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json() as Promise<T>;
}

/** A test that changes or counts records must create its own workspace, because other tests use `demo` concurrently. */
export async function openService(): Promise<OpenService> {
  const { stateDirectory } = await ask<{ stateDirectory: string }>();
  return {
    server: announcedServer(stateAt(stateDirectory)) as LocalServer,
    stateDirectory,
    async admin(operation, fields) {
      const outcome = await ask<AdminOutcome>({ operation, fields: { organization: "demo", ...fields } });
      if (!outcome.ok) throw new Error(`${operation}: ${outcome.message}`);
      return outcome.result as Record<string, string>;
    },
  };
}
