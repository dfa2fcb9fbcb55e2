"""Generated from openapi.json by `npm run openapi`."""

from __future__ import annotations

from typing import Any, Callable, Literal, Sequence, TypeVar, Unpack, overload

from . import records
from .listing import Listing
from .resource import Resource
from .sync import RecordStore
from .transport import Answer, Options, WriteOptions

Transaction = TypeVar("Transaction")


class TimeEntries(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        updated_since: str | None = None,
        project_id: str | None = None,
        client_id: str | None = None,
        user_id: str | None = None,
        invoiced: bool | Literal["true", "false"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        **options: Unpack[Options],
    ) -> Listing[records.TimeEntry]:
        """List time entries.

        Sorted by (updated_at, id), ascending. Follow `next_cursor` until it is null. You can
        combine filters. With filters, a page may have fewer records than `limit`, or none.

        Scope: `time:read`.

        limit: Records per page.
        cursor: The previous page's `next_cursor`. Repeat the same filters, and do not parse the
        cursor.
        updated_since: Only records that changed at or after this time (ISO 8601).
        project_id: Only records for this project.
        client_id: Only records for this client.
        user_id: Only records for this member.
        invoiced: Whether the entry is on an invoice.
        from_: Only work on or after this day (`spent_date`).
        to: Only work on or before this day (`spent_date`).
        """
        return self._list(
            "/api-v1/time-entries",
            {
                "limit": limit,
                "cursor": cursor,
                "updated_since": updated_since,
                "project_id": project_id,
                "client_id": client_id,
                "user_id": user_id,
                "invoiced": invoiced,
                "from": from_,
                "to": to,
            },
            options,
        )

    def sync(
        self,
        *,
        store: RecordStore[Transaction],
        upsert: Callable[[records.TimeEntry, Transaction], object],
        overlap_seconds: float = 10,
    ) -> None:
        """Write what is new or changed since the last time into a copy: see partner_api.sync."""
        self._sync("/api-v1/time-entries", store, upsert, overlap_seconds)

    @overload
    def create(
        self,
        body: records.NewTimeEntry,
        *,
        dry_run: Literal[True],
        **options: Unpack[WriteOptions],
    ) -> records.RehearsedTimeEntry: ...
    @overload
    def create(
        self,
        body: records.NewTimeEntry,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[WriteOptions],
    ) -> records.WrittenTimeEntry: ...
    def create(
        self,
        body: records.NewTimeEntry,
        *,
        dry_run: bool = False,
        **options: Unpack[WriteOptions],
    ) -> Any:
        """Log time.

        Send either `hours` and `spent_date`, or `started_at` and `ended_at`.

        Scope: `time:write`.

        dry_run: Judge the write and keep nothing of it.
        """
        return self._write("/api-v1/time-entries", body, dry_run, options)

    def get(self, id: str, **options: Unpack[Options]) -> records.TimeEntry:
        """Get a time entry.

        Scope: `time:read`.
        """
        return self._read(f"/api-v1/time-entries/{self._segment(id)}", options)


class Invoices(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        updated_since: str | None = None,
        client_id: str | None = None,
        project_id: str | None = None,
        status: Literal["draft", "open", "partially_paid", "overdue", "paid", "void"] | None = None,
        external_id: str | None = None,
        number: str | None = None,
        **options: Unpack[Options],
    ) -> Listing[records.Invoice]:
        """List invoices with their line items.

        Sorted by (updated_at, id), ascending. Follow `next_cursor` until it is null. You can
        combine filters. With filters, a page may have fewer records than `limit`, or none.

        Scope: `invoice:read`.

        limit: Records per page.
        cursor: The previous page's `next_cursor`. Repeat the same filters, and do not parse the
        cursor.
        updated_since: Only records that changed at or after this time (ISO 8601).
        client_id: Only records for this client.
        project_id: Only records for this project.
        status: Only records with this status.
        external_id: The `external_id` that you set when you created the record.
        number: The invoice's number.
        """
        return self._list(
            "/api-v1/invoices",
            {
                "limit": limit,
                "cursor": cursor,
                "updated_since": updated_since,
                "client_id": client_id,
                "project_id": project_id,
                "status": status,
                "external_id": external_id,
                "number": number,
            },
            options,
        )

    def sync(
        self,
        *,
        store: RecordStore[Transaction],
        upsert: Callable[[records.Invoice, Transaction], object],
        overlap_seconds: float = 10,
    ) -> None:
        """Write what is new or changed since the last time into a copy: see partner_api.sync."""
        self._sync("/api-v1/invoices", store, upsert, overlap_seconds)

    @overload
    def create(
        self,
        body: records.NewInvoice,
        *,
        dry_run: Literal[True],
        **options: Unpack[WriteOptions],
    ) -> records.RehearsedInvoice: ...
    @overload
    def create(
        self,
        body: records.NewInvoice,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[WriteOptions],
    ) -> records.WrittenInvoice: ...
    def create(
        self,
        body: records.NewInvoice,
        *,
        dry_run: bool = False,
        **options: Unpack[WriteOptions],
    ) -> Any:
        """Draft an invoice.

        Creates the invoice as a draft. The API never issues or sends invoices, and never changes
        their payment state.

        Scope: `invoice:write`.

        dry_run: Judge the write and keep nothing of it.
        """
        return self._write("/api-v1/invoices", body, dry_run, options)

    def get(self, id: str, **options: Unpack[Options]) -> records.Invoice:
        """Get an invoice.

        Scope: `invoice:read`.
        """
        return self._read(f"/api-v1/invoices/{self._segment(id)}", options)


class Projects(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        updated_since: str | None = None,
        client_id: str | None = None,
        status: Literal["active", "completed", "archived"] | None = None,
        external_id: str | None = None,
        is_sample: bool | Literal["true", "false"] | None = None,
        **options: Unpack[Options],
    ) -> Listing[records.Project]:
        """List projects with their milestones.

        Sorted by (updated_at, id), ascending. Follow `next_cursor` until it is null. You can
        combine filters. With filters, a page may have fewer records than `limit`, or none.

        Scope: `project:read`.

        limit: Records per page.
        cursor: The previous page's `next_cursor`. Repeat the same filters, and do not parse the
        cursor.
        updated_since: Only records that changed at or after this time (ISO 8601).
        client_id: Only records for this client.
        status: Only records with this status.
        external_id: The `external_id` that you set when you created the record.
        is_sample: Whether the project's client is onboarding sample data.
        """
        return self._list(
            "/api-v1/projects",
            {
                "limit": limit,
                "cursor": cursor,
                "updated_since": updated_since,
                "client_id": client_id,
                "status": status,
                "external_id": external_id,
                "is_sample": is_sample,
            },
            options,
        )

    def sync(
        self,
        *,
        store: RecordStore[Transaction],
        upsert: Callable[[records.Project, Transaction], object],
        overlap_seconds: float = 10,
    ) -> None:
        """Write what is new or changed since the last time into a copy: see partner_api.sync."""
        self._sync("/api-v1/projects", store, upsert, overlap_seconds)

    @overload
    def create(
        self,
        body: records.NewProject,
        *,
        dry_run: Literal[True],
        **options: Unpack[WriteOptions],
    ) -> records.RehearsedProject: ...
    @overload
    def create(
        self,
        body: records.NewProject,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[WriteOptions],
    ) -> records.WrittenProject: ...
    def create(
        self,
        body: records.NewProject,
        *,
        dry_run: bool = False,
        **options: Unpack[WriteOptions],
    ) -> Any:
        """Create a project.

        Scope: `project:write`.

        dry_run: Judge the write and keep nothing of it.
        """
        return self._write("/api-v1/projects", body, dry_run, options)

    def get(self, id: str, **options: Unpack[Options]) -> records.Project:
        """Get a project with its milestones.

        Scope: `project:read`.
        """
        return self._read(f"/api-v1/projects/{self._segment(id)}", options)


class Clients(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        updated_since: str | None = None,
        status: Literal["active", "archived"] | None = None,
        external_id: str | None = None,
        email: str | None = None,
        is_sample: bool | Literal["true", "false"] | None = None,
        **options: Unpack[Options],
    ) -> Listing[records.Client]:
        """List clients.

        Sorted by (updated_at, id), ascending. Follow `next_cursor` until it is null. You can
        combine filters. With filters, a page may have fewer records than `limit`, or none.

        Scope: `client:read`.

        limit: Records per page.
        cursor: The previous page's `next_cursor`. Repeat the same filters, and do not parse the
        cursor.
        updated_since: Only records that changed at or after this time (ISO 8601).
        status: Only records with this status.
        external_id: The `external_id` that you set when you created the record.
        email: The exact e-mail address.
        is_sample: Whether the client is onboarding sample data.
        """
        return self._list(
            "/api-v1/clients",
            {
                "limit": limit,
                "cursor": cursor,
                "updated_since": updated_since,
                "status": status,
                "external_id": external_id,
                "email": email,
                "is_sample": is_sample,
            },
            options,
        )

    def sync(
        self,
        *,
        store: RecordStore[Transaction],
        upsert: Callable[[records.Client, Transaction], object],
        overlap_seconds: float = 10,
    ) -> None:
        """Write what is new or changed since the last time into a copy: see partner_api.sync."""
        self._sync("/api-v1/clients", store, upsert, overlap_seconds)

    @overload
    def create(
        self,
        body: records.NewClient,
        *,
        dry_run: Literal[True],
        **options: Unpack[WriteOptions],
    ) -> records.RehearsedClient: ...
    @overload
    def create(
        self,
        body: records.NewClient,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[WriteOptions],
    ) -> records.WrittenClient: ...
    def create(
        self,
        body: records.NewClient,
        *,
        dry_run: bool = False,
        **options: Unpack[WriteOptions],
    ) -> Any:
        """Create a client.

        Scope: `client:write`.

        dry_run: Judge the write and keep nothing of it.
        """
        return self._write("/api-v1/clients", body, dry_run, options)

    def get(self, id: str, **options: Unpack[Options]) -> records.Client:
        """Get a client.

        Scope: `client:read`.
        """
        return self._read(f"/api-v1/clients/{self._segment(id)}", options)


class Deliverables(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        updated_since: str | None = None,
        client_id: str | None = None,
        project_id: str | None = None,
        review_state: Literal["draft", "in_review", "changes_requested", "approved"] | None = None,
        is_sample: bool | Literal["true", "false"] | None = None,
        **options: Unpack[Options],
    ) -> Listing[records.Deliverable]:
        """List deliverables.

        Sorted by (updated_at, id), ascending. Follow `next_cursor` until it is null. You can
        combine filters. With filters, a page may have fewer records than `limit`, or none.

        Scope: `deliverable:read`.

        limit: Records per page.
        cursor: The previous page's `next_cursor`. Repeat the same filters, and do not parse the
        cursor.
        updated_since: Only records that changed at or after this time (ISO 8601).
        client_id: Only records for this client.
        project_id: Only records for this project.
        review_state: Only records with this status.
        is_sample: Whether the deliverable is onboarding sample data.
        """
        return self._list(
            "/api-v1/deliverables",
            {
                "limit": limit,
                "cursor": cursor,
                "updated_since": updated_since,
                "client_id": client_id,
                "project_id": project_id,
                "review_state": review_state,
                "is_sample": is_sample,
            },
            options,
        )

    def sync(
        self,
        *,
        store: RecordStore[Transaction],
        upsert: Callable[[records.Deliverable, Transaction], object],
        overlap_seconds: float = 10,
    ) -> None:
        """Write what is new or changed since the last time into a copy: see partner_api.sync."""
        self._sync("/api-v1/deliverables", store, upsert, overlap_seconds)

    @overload
    def create(
        self,
        body: records.NewDeliverable,
        *,
        dry_run: Literal[True],
        **options: Unpack[WriteOptions],
    ) -> records.RehearsedDeliverable: ...
    @overload
    def create(
        self,
        body: records.NewDeliverable,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[WriteOptions],
    ) -> records.WrittenDeliverable: ...
    def create(
        self,
        body: records.NewDeliverable,
        *,
        dry_run: bool = False,
        **options: Unpack[WriteOptions],
    ) -> Any:
        """Create a deliverable.

        Also creates the first version, including the image. The deliverable counts toward the
        plan's deliverable limit. SVG and PDF files cannot be stored; link to them with `embed_url`
        instead. `share_url` uses the origin in the request's `Origin` header if it is an https
        origin.

        Scope: `deliverable:write`.

        dry_run: Judge the write and keep nothing of it.
        """
        return self._write("/api-v1/deliverables", body, dry_run, options)

    def get(self, id: str, **options: Unpack[Options]) -> records.Deliverable:
        """Get a deliverable.

        Scope: `deliverable:read`.
        """
        return self._read(f"/api-v1/deliverables/{self._segment(id)}", options)

    def list_versions(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        updated_since: str | None = None,
        **options: Unpack[Options],
    ) -> Listing[records.DeliverableVersion]:
        """List a deliverable's versions.

        Sorted by version_number, ascending. Follow `next_cursor` until it is null.

        Scope: `deliverable:read`.

        limit: Records per page.
        cursor: The previous page's `next_cursor`. Repeat the same filters, and do not parse the
        cursor.
        updated_since: Only records that were created at or after this time (ISO 8601).
        """
        return self._list(
            f"/api-v1/deliverables/{self._segment(id)}/versions",
            {"limit": limit, "cursor": cursor, "updated_since": updated_since},
            options,
        )

    @overload
    def create_version(
        self,
        id: str,
        body: records.NewDeliverableVersion | None = None,
        *,
        dry_run: Literal[True],
        **options: Unpack[WriteOptions],
    ) -> records.RehearsedDeliverableVersion: ...
    @overload
    def create_version(
        self,
        id: str,
        body: records.NewDeliverableVersion | None = None,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[WriteOptions],
    ) -> records.WrittenDeliverableVersion: ...
    def create_version(
        self,
        id: str,
        body: records.NewDeliverableVersion | None = None,
        *,
        dry_run: bool = False,
        **options: Unpack[WriteOptions],
    ) -> Any:
        """Append a version; omitted fields keep their values.

        Adds an immutable snapshot that becomes the working copy and starts a new review. If you
        omit `image_base64`, the version keeps the current image. A new version uses one of the
        project's revision rounds, but does not count toward the plan's deliverable limit.

        Scope: `deliverable:write`.

        dry_run: Judge the write and keep nothing of it.
        """
        return self._write(
            f"/api-v1/deliverables/{self._segment(id)}/versions",
            body,
            dry_run,
            options,
        )

    def get_version(
        self,
        id: str,
        version: int,
        **options: Unpack[Options],
    ) -> records.DeliverableVersion:
        """Get a version.

        Scope: `deliverable:read`.
        """
        return self._read(
            f"/api-v1/deliverables/{self._segment(id)}/versions/{self._segment(version)}",
            options,
        )

    def get_image(self, id: str, version: int, **options: Unpack[Options]) -> Answer:
        """Get a version's image.

        Streams the stored image. `ETag` is the image's SHA-256. With `If-None-Match`, the response
        is 304 if the image is unchanged. With `Range`, it is a part of the image. Returns 404 if
        the version has no image.

        Scope: `deliverable:read`.
        """
        return self._read_bytes(
            f"/api-v1/deliverables/{self._segment(id)}/versions/{self._segment(version)}/image",
            options,
        )

    @overload
    def send(
        self,
        id: str,
        body: records.NewSend | None = None,
        *,
        dry_run: Literal[True],
        **options: Unpack[WriteOptions],
    ) -> records.RehearsedSendResult: ...
    @overload
    def send(
        self,
        id: str,
        body: records.NewSend | None = None,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[WriteOptions],
    ) -> records.WrittenSendResult: ...
    def send(
        self,
        id: str,
        body: records.NewSend | None = None,
        *,
        dry_run: bool = False,
        **options: Unpack[WriteOptions],
    ) -> Any:
        """E-mail the client a link to review the newest version.

        The Idempotency-Key is recorded before the e-mail is sent, and is bound to one version. To
        send a later version, use a new key. A 200 with a `status_warning` is a success: the e-mail
        was sent, so do not send it again. If the client does not respond, we remind them after
        `remind_after_days`, up to three times. Fires `deliverable.sent` and, for each reminder,
        `deliverable.reminded`.

        Scope: `deliverable:send`.

        dry_run: Judge the write and keep nothing of it.
        """
        return self._write(f"/api-v1/deliverables/{self._segment(id)}/send", body, dry_run, options)

    def list_feedback(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        updated_since: str | None = None,
        **options: Unpack[Options],
    ) -> Listing[records.Feedback]:
        """List a deliverable's feedback.

        Comments, change requests and replies for all versions, sorted by (created_at, id),
        ascending. Follow `next_cursor` until it is null.

        Scope: `deliverable:read`.

        limit: Records per page.
        cursor: The previous page's `next_cursor`. Repeat the same filters, and do not parse the
        cursor.
        updated_since: Only records that were created at or after this time (ISO 8601).
        """
        return self._list(
            f"/api-v1/deliverables/{self._segment(id)}/feedback",
            {"limit": limit, "cursor": cursor, "updated_since": updated_since},
            options,
        )

    def get_sign_off(self, id: str, **options: Unpack[Options]) -> records.SignOff:
        """Get a deliverable's sign-off, with a proof that you can verify offline.

        Returns 404 until the deliverable is signed off.

        Scope: `deliverable:read`.
        """
        return self._read(f"/api-v1/deliverables/{self._segment(id)}/sign-off", options)


class Events(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        updated_since: str | None = None,
        types: Sequence[str] | str | None = None,
        subject_id: str | None = None,
        wait: int | None = None,
        **options: Unpack[Options],
    ) -> Listing[records.FeedEvent]:
        """List events in commit order.

        Includes every event of the last 30 days, whether or not an endpoint subscribes to it. To
        get each event exactly once, store `latest_cursor` and pass it as `cursor` in the next
        request. With `types`, a page may have fewer events than `limit`, or none, so follow
        `next_cursor` until it is null. Without `types`, you get every event that the token's scopes
        allow. A type that the scopes do not allow returns 403 `insufficient_scope`. With `wait`, a
        request that would return an empty page waits up to that many seconds for an event. At most
        5 of a token's requests can wait at a time; any more return 429.

        Scopes, depending on the event types: `deliverable:read`, `project:read`, `invoice:read`.

        limit: Records per page.
        cursor: The `latest_cursor` that you stored, or the previous page's `next_cursor`. Repeat
        the same filters, and do not parse the cursor.
        updated_since: Only records that were created at or after this time (ISO 8601).
        types: Event names and categories, separated by commas.
        subject_id: Only events about this record.
        wait: How many seconds to wait for an event if the page would be empty.
        """
        return self._list(
            "/api-v1/events",
            {
                "limit": limit,
                "cursor": cursor,
                "updated_since": updated_since,
                "types": types,
                "subject_id": subject_id,
                "wait": wait,
            },
            options,
        )


class Token(Resource):
    def get(self, **options: Unpack[Options]) -> records.Token:
        """Get the token, its workspace and its scopes.

        Requires a valid token with any scope.
        """
        return self._read("/api-v1/token", options)


class Requests(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: str | None = None,
        **options: Unpack[Options],
    ) -> Listing[records.ApiRequest]:
        """List your recent requests and their errors.

        The token's requests from the last 7 days, newest first. At most 10,000 requests are kept
        per workspace. A request appears within two seconds of its response. All 429s of a route
        within the same minute share one entry with a `count`. The log stores none of the data that
        you sent, except the id in the path.

        Requires a valid token with any scope.

        limit: Records per page.
        cursor: The previous page's `next_cursor`. Repeat the same filters, and do not parse the
        cursor.
        status: undefined.
        """
        return self._list(
            "/api-v1/requests",
            {"limit": limit, "cursor": cursor, "status": status},
            options,
        )


class ScopeRequests(Resource):
    @overload
    def ingest(
        self,
        body: records.NewScopeRequestEvidence,
        *,
        dry_run: Literal[True],
        **options: Unpack[WriteOptions],
    ) -> records.RehearsedScopeRequestEvidence: ...
    @overload
    def ingest(
        self,
        body: records.NewScopeRequestEvidence,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[WriteOptions],
    ) -> records.WrittenScopeRequestEvidence: ...
    def ingest(
        self,
        body: records.NewScopeRequestEvidence,
        *,
        dry_run: bool = False,
        **options: Unpack[WriteOptions],
    ) -> Any:
        """Ingest a client message as scope-request evidence.

        Requires the workspace feature `connector_api_ingest`. `external_id` is unique in the
        workspace. Sending the same content again replays the first record, even with a different
        Idempotency-Key. Sending different content returns 409 `idempotency_key_reused`.

        Scope: `request:write`.

        dry_run: Judge the write and keep nothing of it.
        """
        return self._write("/api-ingest-request", body, dry_run, options)
