import { retrySchedule } from "../../contract/retry-schedule.ts";
import { webhookLimits } from "../../contract/webhook-limits.ts";

/** How a receiver responded to an attempt, and what the endpoint's owner can do about it. */
export interface AttemptResult {
  response_status: number | null;
  error_class: string | null;
  latency_ms: number | null;
  response_body: string | null;
}

const deadlineSeconds = webhookLimits.attemptDeadlineMs / 1000;

/** Texts for why there was no response. An unknown error class is shown as is. */
const withoutAnswer: Readonly<Record<string, string>> = {
  timeout: `No response within ${deadlineSeconds} s`,
  network_error: "No connection",
  blocked_address: "The address is not public",
  unresolved_address: "The host name could not be resolved",
};

/** Returns the response in one line, or why there was none; undefined before the first attempt. */
export function resultText({ response_status, error_class, latency_ms }: AttemptResult): string | undefined {
  if (response_status !== null)
    return error_class === null ? `${response_status} in ${latency_ms} ms` : `${response_status}`;
  return error_class === null ? undefined : (withoutAnswer[error_class] ?? error_class);
}

/** How many characters of a response fit in a list row. */
const shownCharacters = 60;

/** Returns why the newest attempt failed, for the line below the name. */
export function shortReason(attempt: AttemptResult): string {
  const body = attempt.response_body?.trim().replaceAll(/\s+/g, " ") ?? "";
  const said = body.length > shownCharacters ? `${body.slice(0, shownCharacters)}…` : body;
  const status = attempt.response_status;
  if (status === null) return resultText(attempt) ?? "No response";
  return `Returned ${status}${said === "" ? "" : `: ${said}`}`;
}

/** Returns the part of a heading after the colon. */
export const reasonText = ({ response_status, error_class }: AttemptResult): string =>
  response_status === null
    ? lowerFirst(withoutAnswer[error_class ?? ""] ?? "no response")
    : `the receiver returned ${response_status}`;

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Whether the failure can only be fixed with a different address. */
export const isAboutAddress = ({ response_status: status, error_class }: AttemptResult): boolean =>
  status === null
    ? error_class === "blocked_address" || error_class === "unresolved_address"
    : status === 404 || status === 410 || (status >= 300 && status < 400);

/** Explains the likely cause, and whether we retry. */
export function advice({ response_status: status, error_class }: AttemptResult): string {
  if (status === null) {
    if (error_class === "timeout")
      return `The receiver must respond within ${deadlineSeconds} seconds and do its work afterwards. We try again.`;
    if (error_class === "blocked_address")
      return "Deliveries go only to addresses that are reachable from the internet. We try again.";
    return "The receiver is down, or its name does not resolve. We try again.";
  }
  if (status === 401 || status === 403)
    return (
      "The receiver refuses the request: check that it verifies the signature with this endpoint's secret. " +
      "We don't try again after a 4xx."
    );
  if (status === 404 || status === 410)
    return "The receiver has probably moved. We don't try again after a 4xx.";
  if (status === 408 || status === 429) return "The receiver asks us to try again later. We do.";
  if (status >= 300 && status < 400) return "We never follow redirects: enter the address that it leads to.";
  if (status >= 400 && status < 500)
    return "The receiver refuses the request. We don't try again after a 4xx.";
  const { attempts, span } = retrySchedule;
  return `The receiver failed. We try again, up to ${attempts} times in about ${span}.`;
}
