import type { FeedEvent } from "../src/contract.ts";
import type { PartnerApi } from "../src/partner-api.ts";
import { memoryStore } from "../src/stores/memory.ts";
import { signDelivery } from "../src/webhooks.ts";
import { headersOfDelivery, postDelivery } from "./delivery.ts";

/** Production's timeout for an attempt. */
const answerWithinMs = 5_000;

/** How far off this machine's clock may be. */
const clockToleranceMs = 86_400_000;

/** The polling interval for a service without long-polling: 20 of the organization's requests per minute. */
const pollSeconds = 3;

interface ListenOptions {
  forwardTo: string;
  secret: string;
  /** Added to every delivery's headers. */
  headers: Record<string, string>;
  types?: readonly string[];
  /** An ISO 8601 time. Default: from now on, according to the feed and not this machine's clock. */
  since?: string;
  signal: AbortSignal;
  tell(line: string): void;
}

/** Forwards the workspace's events to a local receiver, signed as in production, in order, one at a time. */
export async function listen(api: PartnerApi, options: ListenOptions): Promise<void> {
  const { forwardTo, secret, types, since, signal, tell } = options;
  // Throws right away if the secret is invalid, instead of at the first event.
  await signDelivery("", 0, "", secret);
  const filters = {
    ...(types ? { types } : {}),
    updated_since: since ?? new Date(Date.now() - clockToleranceMs).toISOString(),
  };
  const store = memoryStore();
  let isForwarding = false;
  const begin = async () => {
    if (since === undefined) await api.events.catchUp({ ...filters, store, handle: () => {}, signal });
    isForwarding = true;
    tell(`Forwarding to ${forwardTo}, signed with ${secret}`);
  };
  const following = api.events.follow({
    ...filters,
    store: { ...store, cursor: () => (isForwarding ? store.cursor() : begin().then(store.cursor)) },
    handle: async (event) => tell(await forward(event, options)),
    pollSeconds,
    signal,
    onOutage: ({ message }) => tell(`The service is unreachable. Retrying: ${message}`),
  });
  await following.finished;
}

/**
 * Makes one delivery and returns a line about its response. It is not retried; the next run with --since repeats it.
 */
async function forward(
  event: FeedEvent,
  { forwardTo, secret, headers }: Pick<ListenOptions, "forwardTo" | "secret" | "headers">,
): Promise<string> {
  const { event: name, created_at, data } = event;
  const delivery = {
    id: crypto.randomUUID(),
    eventId: event.id,
    event: name,
    attempt: 1,
    timestampSeconds: Math.floor(Date.now() / 1000),
    body: JSON.stringify({ event: name, created_at, data }),
    secrets: [secret],
  };
  const { status, text, latencyMs } = await postDelivery(
    forwardTo,
    { ...headers, ...(await headersOfDelivery(delivery)) },
    delivery.body,
    answerWithinMs,
  );
  const answer =
    status === null ? `failed: ${text}` : `${status}${status < 300 ? "" : ` ${text.slice(0, 80)}`}`;
  return `${created_at}  ${name.padEnd(22)} ${event.subject_id}  ${answer} (${latencyMs} ms)`;
}

/** Creates a signing secret for this run. */
export const newWebhookSecret = (): string =>
  `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64")}`;
