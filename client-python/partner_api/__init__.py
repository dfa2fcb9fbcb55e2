"""The Python client of the partner API, with retries, idempotency keys, paging, webhooks and exactly-once events."""

from . import records, refusals
from .client import PartnerApi
from .errors import (
    AuthenticationError,
    ConnectionError,
    PartnerApiError,
    RefusedError,
    TimeoutError,
    ValidationError,
    WebhookVerificationError,
)
from .follow import EventStore, Follower
from .listing import Listing
from .refusals import *
from .stores import MemoryStore, SqliteStore
from .sync import RecordStore
from .transport import Answer, Options, Retry, WriteOptions, request_id_of
from .webhooks import sign_delivery

__all__ = [
    "Answer",
    "AuthenticationError",
    "ConnectionError",
    "EventStore",
    "Follower",
    "Listing",
    "MemoryStore",
    "Options",
    "PartnerApi",
    "PartnerApiError",
    "RecordStore",
    "RefusedError",
    "Retry",
    "SqliteStore",
    "TimeoutError",
    "ValidationError",
    "WebhookVerificationError",
    "WriteOptions",
    "records",
    "request_id_of",
    "sign_delivery",
]
__all__ += refusals.__all__
