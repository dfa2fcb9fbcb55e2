"""Made from openapi.json: `npm run openapi` makes it again."""

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

        Ascending by (updated_at, id). Follow `next_cursor` until it is null. Filters combine; a
        filtered page may end early, even without a record.

        Scope: `time:read`.

        limit: Records per page.
        cursor: The previous page's next_cursor; with the same filters; opaque.
        updated_since: ISO 8601; only records changed at or after it.
        project_id: Only those of this project.
        client_id: Only those of this client.
        user_id: Only those of this member.
        invoiced: Whether it is on an invoice.
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

        Either `hours` with `spent_date`, or `started_at` with `ended_at`.

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

        Ascending by (updated_at, id). Follow `next_cursor` until it is null. Filters combine; a
        filtered page may end early, even without a record.

        Scope: `invoice:read`.

        limit: Records per page.
        cursor: The previous page's next_cursor; with the same filters; opaque.
        updated_since: ISO 8601; only records changed at or after it.
        client_id: Only those of this client.
        project_id: Only those of this project.
        status: Only those in this state.
        external_id: The id you gave it when you created it.
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

        Always a draft: the API never issues or sends an invoice and never changes its payment
        state.

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

        Ascending by (updated_at, id). Follow `next_cursor` until it is null. Filters combine; a
        filtered page may end early, even without a record.

        Scope: `project:read`.

        limit: Records per page.
        cursor: The previous page's next_cursor; with the same filters; opaque.
        updated_since: ISO 8601; only records changed at or after it.
        client_id: Only those of this client.
        status: Only those in this state.
        external_id: The id you gave it when you created it.
        is_sample: Whether its client is onboarding sample data.
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

        Ascending by (updated_at, id). Follow `next_cursor` until it is null. Filters combine; a
        filtered page may end early, even without a record.

        Scope: `client:read`.

        limit: Records per page.
        cursor: The previous page's next_cursor; with the same filters; opaque.
        updated_since: ISO 8601; only records changed at or after it.
        status: Only those in this state.
        external_id: The id you gave it when you created it.
        email: The exact e-mail address.
        is_sample: Whether it is onboarding sample data.
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

        Ascending by (updated_at, id). Follow `next_cursor` until it is null. Filters combine; a
        filtered page may end early, even without a record.

        Scope: `deliverable:read`.

        limit: Records per page.
        cursor: The previous page's next_cursor; with the same filters; opaque.
        updated_since: ISO 8601; only records changed at or after it.
        client_id: Only those of this client.
        project_id: Only those of this project.
        review_state: Only those in this state.
        is_sample: Whether it is onboarding sample data.
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

        Creates its first version too, with the image. Counts against the plan's deliverable limit.
        SVG and PDF cannot be stored: send them as `embed_url`. `share_url` uses the request's
        Origin if it is https.

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

        Ascending by version_number. Follow `next_cursor` until it is null.

        Scope: `deliverable:read`.

        limit: Records per page.
        cursor: The previous page's next_cursor; with the same filters; opaque.
        updated_since: ISO 8601; only records created at or after it.
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
        """Append a version; omitted fields stay as they are.

        An immutable snapshot that becomes the working copy and starts a clean review. Omitting
        `image_base64` carries the current image forward. Uses one revision round of the project,
        and does not count against the plan's deliverable limit.

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

        The stored bytes, streamed. `ETag` is the image's SHA-256: `If-None-Match` returns 304 if it
        is unchanged, and `Range` returns a part of it. 404 if the version has no image.

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

        The key is recorded before anything is sent and belongs to the version: sending a later
        version needs a new key. A 200 with a `status_warning` is a success: the e-mail went out and
        must not be sent again. A client who does not answer is reminded after `remind_after_days`,
        at most three times. Events: `deliverable.sent`, `deliverable.reminded`.

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

        Comments and change requests on every version, ascending by (created_at, id). Follow
        `next_cursor` until it is null.

        Scope: `deliverable:read`.

        limit: Records per page.
        cursor: The previous page's next_cursor; with the same filters; opaque.
        updated_since: ISO 8601; only records created at or after it.
        """
        return self._list(
            f"/api-v1/deliverables/{self._segment(id)}/feedback",
            {"limit": limit, "cursor": cursor, "updated_since": updated_since},
            options,
        )

    def get_sign_off(self, id: str, **options: Unpack[Options]) -> records.SignOff:
        """Get a deliverable's sign-off, with a proof that verifies offline.

        404 while the deliverable is open.

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
        """List events in the order in which they happened.

        Every event of the last 30 days, including those that no endpoint subscribes to. Store
        `latest_cursor` and use it for the next request: you miss nothing and get nothing twice. A
        page with `types` may end early, even without an event: follow `next_cursor` until it is
        null. Without `types`, the list has every event that the token's scopes may read; `types`
        beyond them are a 403 `insufficient_scope`. With `wait`, a request whose page would be empty
        returns as soon as there is an event, at the latest after that many seconds. At most 5
        requests of one token wait at a time; one more is a 429.

        Scopes, by what is asked for: `deliverable:read`, `project:read`, `invoice:read`.

        limit: Records per page.
        cursor: The `latest_cursor` you stored, or the previous page's `next_cursor`; with the same
        filters; opaque.
        updated_since: ISO 8601; only records created at or after it.
        types: Names and categories, separated by commas.
        subject_id: Only those about this record.
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

        Any valid token will do.
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
        """List your requests, and why they were refused.

        The requests of this token in the last 7 days, newest first, of at most 10,000 per
        workspace. A request appears within two seconds of its response. The 429s of one route and
        minute are one entry with a `count`. Of what you sent, only the id in the path is kept.

        Any valid token will do.

        limit: Records per page.
        cursor: The previous page's next_cursor; with the same filters; opaque.
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

        Needs the workspace feature `connector_api_ingest`. `external_id` is unique in the
        workspace: the same content again is a replay of the first record even under another
        Idempotency-Key; other content is 409 `idempotency_key_reused`.

        Scope: `request:write`.

        dry_run: Judge the write and keep nothing of it.
        """
        return self._write("/api-ingest-request", body, dry_run, options)
