import { minuteMs } from "../../contract/durations.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { sessionLimits } from "../../contract/session-limits.ts";
import type { C } from "./page-context.ts";

const { exportMinutes, exportStepsCounted, callsLeftByExports } = sessionLimits;

/** An export in progress; each workspace has at most one (contract N17). */
export interface RunningExport {
  /** Must be called before each step. Waits until the session's call window has room. Throws once the time is up. */
  beginStep(): Promise<void>;
  /** Lets the next export begin. Without this call, the export ends once its time is up. */
  end(): Promise<void>;
}

export async function beginExport(c: C): Promise<RunningExport | Refusal> {
  const coordinator = () => c.get("services").coordinators.getByName(c.get("workspace").id);
  const holder = crypto.randomUUID();
  const endsMs = Date.now() + exportMinutes * minuteMs;
  if (!(await coordinator().beginExport(holder))) return refuse("export_running");
  let counted = 0;
  return {
    async beginStep() {
      for (;;) {
        if (Date.now() >= endsMs) throw new Error("The export took too long");
        if (counted > 0) break;
        const place = await coordinator().countSessionCall(exportStepsCounted, callsLeftByExports);
        if (place.outcome === "counted") counted = exportStepsCounted;
        else await scheduler.wait(place.resetSeconds * 1000);
      }
      counted -= 1;
    },
    end: () => coordinator().endExport(holder),
  };
}
