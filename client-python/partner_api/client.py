"""A client of the partner API, with a property per resource."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence, TypeVar, cast

from . import resources
from .errors import PartnerApiError
from .follow import ANSWER_SECONDS, EventStore, Follower, Handle, ReadFeed, catch_up
from .records import WebhookEvent
from .transport import Options, Retry, Transport
from .webhooks import verify_delivery, verify_legacy_delivery

Transaction = TypeVar("Transaction")


class PartnerApi:
    """Amounts are decimal numbers, and dates are strings.

    base_url: The service's address, such as https://api.example.com
    apikey: The gateway's public key.
    token: `svc_…`, created by an admin of the workspace.
    webhook_secret: The `whsec_…` secret of your endpoint; two while you rotate it.
    timeout: Seconds per attempt, response body included.
    max_retries: Attempts after the first.
    on_retry: Called before the pause of each retry.
    """

    def __init__(
        self,
        *,
        base_url: str,
        apikey: str,
        token: str,
        webhook_secret: str | Sequence[str] | None = None,
        timeout: float = 30,
        max_retries: int = 3,
        on_retry: Callable[[Retry], object] = lambda retry: None,
    ):
        options: Options = {"timeout": timeout, "max_retries": max_retries, "on_retry": on_retry}
        transport = Transport(base_url, apikey, token, options)
        self.webhooks = Webhooks(webhook_secret)
        self.clients = resources.Clients(transport)
        self.projects = resources.Projects(transport)
        self.time_entries = resources.TimeEntries(transport)
        self.invoices = resources.Invoices(transport)
        self.deliverables = resources.Deliverables(transport)
        self.events = Events(transport, self.webhooks)
        self.token = resources.Token(transport)
        self.requests = resources.Requests(transport)
        self.scope_requests = resources.ScopeRequests(transport)


class Webhooks:
    def __init__(self, secrets: str | Sequence[str] | None):
        self._secrets = secrets

    def verify(self, raw_body: bytes | str, headers: Mapping[str, str]) -> WebhookEvent:
        """Return the event of a delivery, or raise a WebhookVerificationError."""
        return cast(WebhookEvent, verify_delivery(raw_body, headers, self._held()))

    def verify_legacy(self, raw_body: bytes | str, headers: Mapping[str, str]) -> WebhookEvent:
        """The same for `X-Svc-Signature`. It has no timestamp, so a replayed delivery passes too."""
        return cast(WebhookEvent, verify_legacy_delivery(raw_body, headers, self._held()))

    def _held(self) -> str | Sequence[str]:
        if self._secrets is None:
            raise ValueError("webhook_secret is missing")
        return self._secrets


class Events(resources.Events):
    def __init__(self, transport: Transport, webhooks: Webhooks):
        super().__init__(transport)
        self._webhooks = webhooks

    def catch_up(
        self,
        *,
        store: EventStore[Transaction],
        handle: Handle[Transaction],
        cursor: str | None = None,
        types: Sequence[str] = (),
        updated_since: str | None = None,
    ) -> None:
        """Handle each event up to now exactly once, and return: for cron jobs.

        handle: Handles one event. What it writes through the transaction is written exactly once.
        cursor: Where to begin while the store is empty. Default: the oldest event that is kept.
        types: Event names and categories, such as ["invoice.paid", "delivery"]. Default: all.
        updated_since: Where to begin, as an ISO 8601 time.
        """
        catch_up(
            self._read_feed, store, handle, cursor=cursor, types=types, updated_since=updated_since
        )

    def follow(
        self,
        *,
        store: EventStore[Transaction],
        handle: Handle[Transaction],
        cursor: str | None = None,
        types: Sequence[str] = (),
        updated_since: str | None = None,
        poll_seconds: float = 30,
        on_outage: Callable[[PartnerApiError], object] = lambda error: None,
    ) -> Follower[Transaction]:
        """Return a follower, which handles each event exactly once while `run` runs. Otherwise like `catch_up`.

        poll_seconds: The pause after an error, and between polls of a service without long-polling. Deliveries
            end it.
        on_outage: Called for each error that is retried because the service was unreachable or busy.
        """

        def catch_up_by(read_feed: ReadFeed, is_stopped: Callable[[], bool]) -> None:
            catch_up(
                read_feed,
                store,
                handle,
                cursor=cursor,
                types=types,
                updated_since=updated_since,
                is_stopped=is_stopped,
            )

        return Follower(
            self._read_feed, catch_up_by, self._webhooks.verify, poll_seconds, on_outage
        )

    def _read_feed(self, query: Mapping[str, Any]) -> Mapping[str, Any]:
        options: Options = {}
        if "wait" in query:
            options["timeout"] = query["wait"] + ANSWER_SECONDS
        return cast("Mapping[str, Any]", self._transport.read("/api-v1/events", query, options))
