import type { MiddlewareHandler } from "hono";
import { idInput } from "../contract/fields.ts";
import { entryKeyOf, type LoggedRequest, mergeEntries } from "../contract/request-log.ts";
import { requestLogLimits } from "../contract/request-log-limits.ts";
import type { Services } from "../core/services.ts";
import { note, notesUnderWay, report } from "../platform/log.ts";

type Coordinators = Pick<Services, "coordinators">;

/** Entries that this isolate has not sent yet, by organization and entry key. */
const unsent = new Map<string, Map<string, LoggedRequest>>();

/** Adds each authenticated request to its organization's request log (contract U1), after the response. */
export const requestLog =
  (
    servicesOf: (env: Env) => Coordinators,
  ): MiddlewareHandler<{ Bindings: Env; Variables: { requestId: string } }> =>
  async (c, next) => {
    const startedMs = Date.now();
    await next();
    const notes = notesUnderWay();
    if (!notes?.organization_id || !notes.token_id) return;
    const { organization_id, token_id, code = null, refusal, replay = false, subject_id = null } = notes;
    const request: LoggedRequest = {
      request_id: c.get("requestId"),
      at: new Date(startedMs).toISOString(),
      token_id,
      method: c.req.method,
      route: notes.route ?? "",
      status: c.res.status,
      code,
      error: refusal ? refusal.logged.slice(0, requestLogLimits.errorCharacters).toWellFormed() : null,
      duration_ms: Date.now() - startedMs,
      replay,
      subject_id,
      events: notes.events ?? [],
    };
    const sending = sendSoon(servicesOf(c.env), organization_id, request);
    if (sending) c.executionCtx.waitUntil(sending);
  };

/** Notes the record that a request is about. An id in the path takes precedence over an id in the response. */
export function noteSubject(id: unknown): void {
  if (id === undefined || notesUnderWay()?.subject_id !== undefined) return;
  const subject = idInput.safeParse(id);
  if (subject.success) note({ subject_id: subject.data });
}

/** Sends a request within `holdMs`. Returns undefined if an earlier request in this isolate will send it. */
function sendSoon(
  services: Coordinators,
  organizationId: string,
  request: LoggedRequest,
): Promise<void> | undefined {
  const key = entryKeyOf(request);
  const waiting = unsent.get(organizationId);
  if (waiting) {
    const first = waiting.get(key);
    waiting.set(key, first ? mergeEntries(first, [request]) : request);
    return waiting.size < requestLogLimits.perCall ? undefined : sendNow(services, organizationId);
  }
  unsent.set(organizationId, new Map([[key, request]]));
  return scheduler.wait(requestLogLimits.holdMs).then(() => sendNow(services, organizationId));
}

/** Sends pending requests, so that the next read of the log in this isolate includes them. */
export async function sendNow({ coordinators }: Coordinators, organizationId: string): Promise<void> {
  const requests = [...(unsent.get(organizationId)?.values() ?? [])];
  unsent.delete(organizationId);
  if (requests.length === 0) return;
  try {
    await coordinators.getByName(organizationId).logRequests(requests);
  } catch (error) {
    report({ failed: "request log", requests: requests.length }, error);
  }
}
