import type { Context, MiddlewareHandler } from "hono";
import { type Refusal, refuse } from "../contract/refusal.ts";
import { type ServiceState, serviceStateOf } from "../platform/service-state.ts";

/**
 * Rejects requests while SERVICE_STATE closes the service. `answer` builds the response, and `reads` decides which
 * requests change nothing.
 */
export const refuseWhileClosed =
  (
    answer: (c: Context, refusal: Refusal) => Response,
    reads: (c: Context) => boolean = ({ req }) => changesNothing(req.method),
  ): MiddlewareHandler<{ Bindings: Env }> =>
  async (c, next) => {
    const refusal = refusedIn(serviceStateOf(c.env), reads(c));
    return refusal ? answer(c, refusal) : next();
  };

const changesNothing = (method: string) => ["GET", "HEAD", "OPTIONS"].includes(method);

function refusedIn(state: ServiceState, isRead: boolean): Refusal | undefined {
  switch (state) {
    case "open":
      return undefined;
    case "read_only":
      return isRead ? undefined : refuse("service_read_only");
    case "closed":
      return refuse("service_closed");
    default:
      return state satisfies never;
  }
}
