/** The package's exports. */
export type { FeedEvent, FeedQuery, WebhookEvent } from "./contract.ts";
export {
  AuthenticationError,
  ConnectionError,
  PartnerApiError,
  RefusedError,
  TimeoutError,
  ValidationError,
  WebhookVerificationError,
} from "./errors.ts";
export type { CatchUpOptions, EventStore, FeedPage, Following, FollowOptions } from "./follow.ts";
export type { Listing, Page } from "./listing.ts";
export {
  type DryRunOptions,
  type PartnerApi,
  type PartnerApiOptions,
  partnerApi,
  type WriteOptions,
} from "./partner-api.ts";
export * from "./refusals.ts";
export { requestIdOf } from "./request-id.ts";
export type {
  ApiRequest,
  Client,
  components,
  Deliverable,
  DeliverableVersion,
  Feedback,
  FieldProblem,
  Invoice,
  LineItem,
  Milestone,
  NewClient,
  NewDeliverable,
  NewDeliverableVersion,
  NewInvoice,
  NewProject,
  NewScopeRequestEvidence,
  NewSend,
  NewTimeEntry,
  Project,
  paths,
  ScopeRequestEvidence,
  SendResult,
  SignOff,
  TimeEntry,
  Token,
  webhooks,
} from "./schema.ts";
export { memoryStore } from "./stores/memory.ts";
export type { RecordStore, SyncOptions } from "./sync.ts";
export type { RequestOptions, Retry } from "./transport.ts";
export { type DeliveryHeaders, signDelivery } from "./webhooks.ts";
