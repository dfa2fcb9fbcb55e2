import { webhookLimits } from "../../contract/webhook-limits.ts";
import type { Services } from "../../core/services.ts";
import { BoundedMap } from "../../platform/bounded-map.ts";
import { decrypt } from "../../platform/encryption.ts";
import { postWebhook } from "../../platform/post-webhook.ts";
import { decryptHeaders, type EndpointHeaders, withoutValues } from "../endpoints/headers.ts";
import { type AttemptOutcome, type AttemptVerdict, classifyAttempt } from "./classify-attempt.ts";
import type { LeasedDelivery } from "./load-leased.ts";
import { checkTarget, type TargetVerdict } from "./public-address.ts";
import { deliveryHeaders, type SigningKeys, signingKeys } from "./sign.ts";

export interface DeliveryAttempt {
  delivery: LeasedDelivery;
  attemptedAt: string;
  outcome: AttemptOutcome;
  verdict: AttemptVerdict;
}

/** Checks an endpoint's address once per batch, right before its first attempt. */
type CheckAddress = (delivery: LeasedDelivery) => Promise<TargetVerdict>;

/**
 * Checks the address, signs and posts the delivery, and classifies the outcome. A failure at the receiver is an
 * outcome. The promise rejects only if the failure is ours.
 */
export async function attemptDelivery(
  services: Pick<Services, "fetch" | "random" | "webhookSecretKey">,
  checkAddress: CheckAddress,
  delivery: LeasedDelivery,
): Promise<DeliveryAttempt> {
  const started = new Date();
  const target = await checkAddress(delivery);
  const outcome = target.ok
    ? await post(services, delivery, target.url)
    : refusedTarget(target, Date.now() - started.getTime());
  const verdict = classifyAttempt(outcome, delivery.attempts + 1, new Date(), services.random);
  return { delivery, attemptedAt: started.toISOString(), outcome, verdict };
}

async function post(
  services: Pick<Services, "fetch" | "webhookSecretKey">,
  delivery: LeasedDelivery,
  url: string,
) {
  const {
    id,
    event_id: eventId,
    event,
    is_test,
    attempts,
    payload,
    endpoint_id,
    secret_encrypted,
    previous_secret_encrypted,
    headers_encrypted,
  } = delivery;
  const secrets = [secret_encrypted, previous_secret_encrypted].filter((secret) => secret !== null);
  const keys = [];
  for (const secret of secrets) keys.push(await keysOf(services.webhookSecretKey, endpoint_id, secret));
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const attempt = attempts + 1;
  const headers = await deliveryHeaders({
    id,
    eventId,
    event,
    isTest: is_test === 1,
    attempt,
    timestampSeconds,
    body: payload,
    keys,
  });
  if (headers_encrypted === null) return postWebhook(services.fetch, { url, headers, body: payload });
  const own = await headersOf(services.webhookSecretKey, endpoint_id, headers_encrypted);
  const outcome = await postWebhook(services.fetch, { url, headers: { ...own, ...headers }, body: payload });
  return outcome.kind === "answer" ? { ...outcome, body: masked(outcome.body, own) } : outcome;
}

/** Masks header values. A truncated body may be up to 4 bytes short, because a split character is dropped. */
const masked = (body: string, own: EndpointHeaders): string =>
  withoutValues(body, own, Buffer.byteLength(body) > webhookLimits.answerKeptBytes - 4);

const refusedTarget = (target: TargetVerdict & { ok: false }, latencyMs: number): AttemptOutcome => ({
  kind: target.reason === "unresolved" ? "unresolved_address" : "blocked_address",
  latencyMs,
});

/** Shares one address check among the attempts in a batch. A batch is too short for DNS rebinding. */
export function addressChecks({ webhookTargets }: Pick<Services, "webhookTargets">): CheckAddress {
  const verdicts = new Map<string, Promise<TargetVerdict>>();
  return ({ endpoint_id, url }) => {
    const known = verdicts.get(endpoint_id);
    if (known) return known;
    const verdict = checkTarget(url, webhookTargets);
    verdicts.set(endpoint_id, verdict);
    return verdict;
  };
}

/** Caches decrypted values by ciphertext, which changes with every rotation and update. */
const maxKept = 1_000;
const keptKeys = new BoundedMap<SigningKeys>(maxKept);
const keptHeaders = new BoundedMap<EndpointHeaders>(maxKept);

async function keysOf(secretKey: string, endpointId: string, encrypted: string): Promise<SigningKeys> {
  const known = keptKeys.get(encrypted);
  if (known) return known;
  const keys = await signingKeys(await decrypt(secretKey, endpointId, encrypted));
  keptKeys.set(encrypted, keys);
  return keys;
}

async function headersOf(secretKey: string, endpointId: string, encrypted: string): Promise<EndpointHeaders> {
  const known = keptHeaders.get(encrypted);
  if (known) return known;
  const headers = await decryptHeaders(secretKey, endpointId, encrypted);
  keptHeaders.set(encrypted, headers);
  return headers;
}
