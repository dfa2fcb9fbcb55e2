"""The Python client of the partner API: retries, keys, paging, webhooks and every event exactly once."""

from . import records
from .client import PartnerApi
from .errors import (
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
    RateLimitExceededError,
    RefusedError,
    RevisionOverBudgetError,
    SampleDataNeverEmailedError,
    StorageFullError,
    StorageUnavailableError,
    TimeoutError,
    UpgradeRequiredError,
    ValidationError,
    WebhookVerificationError,
)
from .follow import EventStore, Follower
from .listing import Listing
from .stores import MemoryStore, SqliteStore
from .sync import RecordStore
from .transport import Answer, Options, Retry, WriteOptions, request_id_of
from .webhooks import sign_delivery

__all__ = [
    "Answer",
    "ApiActorUnavailableError",
    "AuthenticationError",
    "ClientEmailMissingError",
    "ConnectionError",
    "DeliverableSignedOffError",
    "EmailSendFailedError",
    "EventStore",
    "FeatureDisabledError",
    "Follower",
    "IdempotencyKeyInProgressError",
    "IdempotencyKeyReusedError",
    "InsufficientScopeError",
    "Listing",
    "MemoryStore",
    "NotFoundError",
    "Options",
    "PartnerApi",
    "PartnerApiError",
    "PayloadTooLargeError",
    "RateLimitError",
    "RateLimitExceededError",
    "RecordStore",
    "RefusedError",
    "Retry",
    "RevisionOverBudgetError",
    "SampleDataNeverEmailedError",
    "SqliteStore",
    "StorageFullError",
    "StorageUnavailableError",
    "TimeoutError",
    "UpgradeRequiredError",
    "ValidationError",
    "WebhookVerificationError",
    "WriteOptions",
    "records",
    "request_id_of",
    "sign_delivery",
]
