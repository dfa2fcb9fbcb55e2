import { decrypt } from "../../platform/encryption.ts";
import { postWebhook } from "../../platform/post-webhook.ts";
import { type AttemptOutcome, judgeAttempt, type Verdict } from "./judge-attempt.ts";
import type { LeasedDelivery } from "./load-leased.ts";
import { checkTarget, type TargetVerdict } from "./public-address.ts";
import { deliveryHeaders, type SigningKeys, signingKeys } from "./sign.ts";
import type { SendingServices } from "./webhook-services.ts";

/** One attempt and what follows from it. */
export interface Attempt {
  delivery: LeasedDelivery;
  attemptedAt: string;
  outcome: AttemptOutcome;
  verdict: Verdict;
}

/** Judges an endpoint's address; asked once for each endpoint of a batch, right before its first attempt. */
export type CheckAddress = (delivery: LeasedDelivery) => Promise<TargetVerdict>;

/** Address, signature, POST, judgement. A receiver's failure is an outcome; only our own failure rejects. */
export async function attemptDelivery(
  services: SendingServices,
  checkAddress: CheckAddress,
  delivery: LeasedDelivery,
): Promise<Attempt> {
  const started = new Date();
  const target = await checkAddress(delivery);
  const outcome = target.ok
    ? await post(services, delivery, target.url)
    : refusedTarget(target, Date.now() - started.getTime());
  const verdict = judgeAttempt(outcome, delivery.attempts + 1, new Date(), services.random);
  return { delivery, attemptedAt: started.toISOString(), outcome, verdict };
}

async function post(services: SendingServices, delivery: LeasedDelivery, url: string) {
  const { id, event, attempts, payload, endpointId } = delivery;
  const keys = [await openKeys(services.secretKey, endpointId, delivery.secretEncrypted)];
  if (delivery.previousSecretEncrypted !== null) {
    keys.push(await openKeys(services.secretKey, endpointId, delivery.previousSecretEncrypted));
  }
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const headers = await deliveryHeaders({
    id,
    event,
    attempt: attempts + 1,
    timestampSeconds,
    body: payload,
    keys,
  });
  return postWebhook(services.fetch, { url, headers, body: payload });
}

const refusedTarget = (target: TargetVerdict & { ok: false }, latencyMs: number): AttemptOutcome => ({
  kind: target.reason === "unresolved" ? "unresolved_address" : "blocked_address",
  latencyMs,
});

/** One judgement for each endpoint, shared by its attempts of one batch: a second of rebinding is the race anyway. */
export function addressChecks({ target }: SendingServices): CheckAddress {
  const verdicts = new Map<string, Promise<TargetVerdict>>();
  return ({ endpointId, url }) => {
    const known = verdicts.get(endpointId);
    if (known) return known;
    const verdict = checkTarget(url, target);
    verdicts.set(endpointId, verdict);
    return verdict;
  };
}

/** The keys of opened secrets by their ciphertext, which is new at every rotation. */
const openedKeys = new Map<string, SigningKeys>();
const openedKeysKept = 1_000;

async function openKeys(key: string, endpointId: string, sealed: string): Promise<SigningKeys> {
  const known = openedKeys.get(sealed);
  if (known) return known;
  const keys = await signingKeys(await decrypt(key, endpointId, sealed));
  if (openedKeys.size >= openedKeysKept) openedKeys.clear();
  openedKeys.set(sealed, keys);
  return keys;
}
