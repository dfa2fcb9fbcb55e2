/** What the package gives. */
export type { FeedEvent, WebhookEvent } from "./contract.ts";
export {
  ApiActorUnavailableError,
  AuthenticationError,
  ClientEmailMissingError,
  ConnectionError,
  DeliverableSignedOffError,
  EmailSendFailedError,
  FeatureDisabledError,
  IdempotencyKeyInProgressError,
  IdempotencyKeyReusedError,
  InsufficientScopeError,
  NotFoundError,
  PartnerApiError,
  PayloadTooLargeError,
  RateLimitError,
  RefusedError,
  RevisionOverBudgetError,
  SampleDataNeverEmailedError,
  StorageUnavailableError,
  TimeoutError,
  UpgradeRequiredError,
  ValidationError,
  WebhookVerificationError,
} from "./errors.ts";
export type { CatchUpOptions, EventStore, FeedPage, FeedQuery, Following, FollowOptions } from "./follow.ts";
export type { Listing, Page } from "./listing.ts";
export { type PartnerApi, type PartnerApiOptions, partnerApi, type WriteOptions } from "./partner-api.ts";
export type { components, paths, webhooks } from "./schema.ts";
export { memoryStore } from "./stores/memory.ts";
export type { RequestOptions } from "./transport.ts";
export { type DeliveryHeaders, signDelivery } from "./webhooks.ts";
