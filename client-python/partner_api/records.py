"""Generated from openapi.json by `npm run openapi`."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class NewTimeEntryByHours(TypedDict):
    project_id: str
    hours: float
    """Can have at most two decimal places"""
    spent_date: str
    """The day on which the work was done. With `started_at` and `ended_at`, the default is the
    calendar day of `started_at` in the UTC offset that you sent
    """
    description: NotRequired[str]
    billable: NotRequired[bool]
    """Default: true"""
    hourly_rate: NotRequired[float]
    """A decimal amount, with at most as many decimal places as the currency has"""


class NewTimeEntryByStartAndEnd(TypedDict):
    project_id: str
    spent_date: NotRequired[str]
    """The day on which the work was done. With `started_at` and `ended_at`, the default is the
    calendar day of `started_at` in the UTC offset that you sent
    """
    started_at: str
    ended_at: str
    """Must be later than `started_at`, by at most 24 hours"""
    description: NotRequired[str]
    billable: NotRequired[bool]
    """Default: true"""
    hourly_rate: NotRequired[float]
    """A decimal amount, with at most as many decimal places as the currency has"""


NewTimeEntry = NewTimeEntryByHours | NewTimeEntryByStartAndEnd


class NewInvoiceLineItem(TypedDict):
    description: str
    quantity: float
    """Can have at most four decimal places"""
    unit_price: float
    """A decimal amount, with at most as many decimal places as the currency has"""
    tax_rate: NotRequired[float]
    """In percent, with at most four decimal places. Default: 0"""
    time_entry_id: NotRequired[str]


class NewInvoice(TypedDict):
    """As UTF-8 JSON, notes and descriptions can have at most 65536 bytes in total"""

    client_id: str
    project_id: NotRequired[str]
    currency: NotRequired[str]
    """An active ISO 4217 code. Default: the workspace's currency"""
    due_date: NotRequired[str]
    notes: NotRequired[str]
    external_id: NotRequired[str]
    line_items: list[NewInvoiceLineItem]


class NewProjectMilestone(TypedDict):
    name: str
    due_date: NotRequired[str]
    amount: NotRequired[float]
    """A decimal amount, with at most as many decimal places as the currency has"""


class NewProject(TypedDict):
    client_id: str
    name: str
    description: NotRequired[str]
    currency: NotRequired[str]
    """An active ISO 4217 code. Default: the workspace's currency"""
    included_revision_rounds: NotRequired[int]
    start_date: NotRequired[str]
    end_date: NotRequired[str]
    """Must not be before `start_date`"""
    external_id: NotRequired[str]
    milestones: NotRequired[list[NewProjectMilestone]]


class NewClientCompany(TypedDict):
    company_name: str
    client_name: NotRequired[str]
    email: NotRequired[str]
    external_id: NotRequired[str]


class NewClientPerson(TypedDict):
    company_name: NotRequired[str]
    client_name: str
    email: NotRequired[str]
    external_id: NotRequired[str]


NewClient = NewClientCompany | NewClientPerson


class NewDeliverableByAddress(TypedDict):
    title: str
    client_id: str
    project_id: NotRequired[str]
    """A project of the same client"""
    embed_url: str
    """An https URL"""
    image_base64: NotRequired[str]
    """Raw base64 or a data: URL of a PNG, JPEG, WebP or GIF image, at most 10 MB decoded"""


class NewDeliverableWithAnImage(TypedDict):
    title: str
    client_id: str
    project_id: NotRequired[str]
    """A project of the same client"""
    embed_url: NotRequired[str]
    """An https URL"""
    image_base64: str
    """Raw base64 or a data: URL of a PNG, JPEG, WebP or GIF image, at most 10 MB decoded"""


NewDeliverable = NewDeliverableByAddress | NewDeliverableWithAnImage


class NewDeliverableVersion(TypedDict):
    """Omitted fields keep their values"""

    title: NotRequired[str]
    embed_url: NotRequired[str]
    """An https URL"""
    image_base64: NotRequired[str]
    """Raw base64 or a data: URL of a PNG, JPEG, WebP or GIF image, at most 10 MB decoded"""
    note: NotRequired[str]


class NewSend(TypedDict):
    message: NotRequired[str]
    """A personal note, which the e-mail shows as plain text"""
    remind_after_days: NotRequired[int]
    """Days until the client is reminded; 0 for never. Default: the workspace's setting"""


class NewScopeRequestEvidence(TypedDict):
    client_id: str
    project_id: NotRequired[str]
    """A project of the same client"""
    deliverable_id: NotRequired[str]
    """A deliverable of the same client"""
    content: str
    author_kind: NotRequired[Literal["client", "member", "system", "unknown"]]
    """Default: "client\""""
    author_name: NotRequired[str]
    author_address: NotRequired[str]
    external_id: NotRequired[str]
    """Must be unique in the workspace. Default: the Idempotency-Key"""
    metadata: NotRequired[dict[str, Any]]
    """At most 16 KB as JSON, nested at most 32 levels deep. Default: {}"""


class Anchor(TypedDict):
    """The point on the image that a comment is about"""

    x: float
    """The position as a fraction (0 to 1) of the image's width"""
    y: float
    """The position as a fraction (0 to 1) of the image's height"""


class FieldProblem(TypedDict):
    field: str
    """The field's path"""
    message: str
    """What is wrong, starting with the field's name"""
    suggestion: NotRequired[str]
    """The field name that you probably meant"""


class TimeEntry(TypedDict):
    id: str
    project_id: str
    client_id: str
    user_id: str
    """The admin who created the token"""
    description: str | None
    spent_date: str
    hours: float
    started_at: str | None
    ended_at: str | None
    billable: bool
    hourly_rate: float | None
    currency: str
    """An ISO 4217 code"""
    invoice_id: str | None
    client_ref: str | None
    """The Idempotency-Key of the request that created the entry"""
    created_at: str
    updated_at: str


class Invoice(TypedDict):
    id: str
    number: str | None
    """Assigned when the invoice is issued; null for a draft"""
    client_id: str
    project_id: str | None
    status: Literal["draft", "open", "partially_paid", "overdue", "paid", "void"] | str
    currency: str
    """An ISO 4217 code"""
    issue_date: str | None
    due_date: str | None
    subtotal: float
    """A decimal amount, with as many decimal places as the currency has"""
    tax_total: float
    """A decimal amount, with as many decimal places as the currency has"""
    total: float
    """A decimal amount, with as many decimal places as the currency has"""
    amount_paid: float
    """A decimal amount, with as many decimal places as the currency has"""
    amount_due: float
    """A decimal amount, with as many decimal places as the currency has"""
    notes: str | None
    external_id: str | None
    line_items: list[LineItem]
    created_at: str
    updated_at: str


class LineItem(TypedDict):
    id: str
    position: int
    description: str
    quantity: float
    unit_price: float
    """A decimal amount, with as many decimal places as the currency has"""
    tax_rate: float
    """In percent"""
    amount: float
    """`quantity` x `unit_price`, rounded half away from zero"""
    time_entry_id: str | None


class Project(TypedDict):
    id: str
    client_id: str
    name: str
    description: str | None
    status: Literal["active", "completed", "archived"] | str
    currency: str
    """An ISO 4217 code"""
    included_revision_rounds: int | None
    """null if the number of rounds is unlimited"""
    revision_rounds_used: int
    start_date: str | None
    end_date: str | None
    external_id: str | None
    milestones: list[Milestone]
    created_at: str
    updated_at: str


class Milestone(TypedDict):
    id: str
    name: str
    position: int
    status: Literal["pending", "in_progress", "completed"] | str
    due_date: str | None
    amount: float | None


class Client(TypedDict):
    id: str
    name: str
    """`company_name`, or `client_name` if `company_name` is empty"""
    company_name: str | None
    client_name: str | None
    email: str | None
    status: Literal["active", "archived"] | str
    is_sample: bool
    """Whether this is onboarding sample data, which is never e-mailed and fires no events"""
    external_id: str | None
    created_at: str
    updated_at: str


class Deliverable(TypedDict):
    id: str
    share_url: str
    """The URL where the client reviews the deliverable"""
    title: str
    client_id: str
    project_id: str | None
    embed_url: str | None
    asset_path: str | None
    """The image's path in our private storage"""
    review_state: Literal["draft", "in_review", "changes_requested", "approved"] | str
    """The state of the review, derived by the server. Branch on this field"""
    current_state: Literal["open", "signed_off"] | str
    """The stored state, which `review_state` is derived from"""
    status_label: str | None
    """For display only, because workspaces can rename their labels"""
    version_number: int
    """The newest version's number"""
    is_sample: bool
    """Whether this is onboarding sample data, which is never e-mailed and fires no events"""
    sent_at: str | None
    reminder_due_at: str | None
    """When the client will be reminded; null if no reminder is pending"""
    delivery_problem: DeliveryProblem | None
    """Why the latest review e-mail or its reminder failed; null if no failure is known"""
    signed_off_at: str | None
    created_at: str
    updated_at: str


class DeliveryProblem(TypedDict):
    at: str
    kind: Literal["bounced", "rejected", "failed", "complained"] | str
    """`complained` means that the e-mail was delivered, but the recipient marked it as spam"""
    reason: str | None
    """The reason that the mail service or the recipient's server gave, without e-mail addresses and
    cut to 500 characters
    """


class DeliverableVersion(TypedDict):
    """An immutable snapshot of the deliverable, which contains the previous version's hash"""

    id: str
    deliverable_id: str
    version_number: int
    title: str
    embed_url: str | None
    asset_path: str | None
    asset_content_type: str | None
    """The image's type, detected from its bytes"""
    asset_sha256: str | None
    note: str | None
    previous_hash: str | None
    """The previous version's hash; null for version 1"""
    hash: str
    """The SHA-256 of all other fields except `id`, as canonical JSON (RFC 8785), in lowercase
    hexadecimal
    """
    created_by: str
    """The admin who created the token"""
    created_at: str


class SendResult(TypedDict):
    ok: Literal[True]
    status_warning: str | None
    """If this is not null, the e-mail was sent, but the deliverable's status could not be updated. Do
    not send the e-mail again
    """
    id: str
    """The deliverable's id"""
    version_number: int
    """The number of the version that was sent"""
    sent_at: str
    reminder_due_at: str | None
    """When the client will be reminded if they have not responded; null if no reminder is pending"""


class DryRunSendMail(TypedDict):
    """The e-mail that the real request would send; absent if it would be a replay, which sends no
    e-mail
    """

    to: str
    """The client's e-mail address, masked"""
    subject: str
    text: str
    """The e-mail's text, with a placeholder instead of the personal link"""


class DryRunSend(TypedDict):
    ok: Literal[True]
    status_warning: str | None
    """If this is not null, the e-mail was sent, but the deliverable's status could not be updated. Do
    not send the e-mail again
    """
    id: str
    """The deliverable's id"""
    version_number: int
    """The number of the version that was sent"""
    sent_at: str
    reminder_due_at: str | None
    """When the client will be reminded if they have not responded; null if no reminder is pending"""
    mail: NotRequired[DryRunSendMail]
    """The e-mail that the real request would send; absent if it would be a replay, which sends no
    e-mail
    """


class TokenOrganization(TypedDict):
    id: str
    slug: str
    name: str
    plan: str
    currency: str
    """An ISO 4217 code"""
    features: list[str]


class Token(TypedDict):
    id: str
    name: str
    token_prefix: str
    """The token's first 14 characters, which are safe to show"""
    scopes: list[str]
    organization: TokenOrganization
    requests_per_minute: int
    """The workspace's limit, which all its tokens share"""
    created_at: str
    expires_at: str | None
    """When the token expires; null if it does not expire"""
    allowed_ips: list[str] | None
    """The IP addresses and CIDR ranges that the token can be used from; null if it can be used from
    anywhere
    """
    last_used_at: str | None
    """When the token was last used before this request, to the minute; null if this is its first
    request
    """


class ApiRequestToken(TypedDict):
    id: str
    name: str
    token_prefix: str
    """The token's first 14 characters, which are safe to show"""


class ApiRequest(TypedDict):
    request_id: str
    """The `X-Request-Id` of the response"""
    at: str
    """When the request arrived"""
    token: ApiRequestToken
    method: str
    route: str
    """The path template, such as /api-v1/clients/{id}"""
    status: int
    code: str | None
    """The error's code; null if it has no code"""
    error: str | None
    """The error message, without unknown field names and cut to 300 characters; null if the request
    succeeded
    """
    duration_ms: int
    replay: bool
    """Whether the response replayed an earlier request with the same key"""
    subject_id: str | None
    """The id of the record in the path, or of the record that the request created"""
    count: NotRequired[int]
    """Present only with status 429: how many of the token's requests to this route returned 429 in the
    same minute. The other fields describe the first of these requests
    """


class Feedback(TypedDict):
    """A comment, change request or reply in a review. Feedback never changes, except that
    `author_name` and `body` are replaced when the client is erased.
    """

    id: str
    deliverable_id: str
    version_number: int
    """The number of the version that the feedback is about"""
    kind: Literal["comment", "change_request", "reply"]
    """A client's comment or change request, or the workspace's `reply`, which does not change the
    state
    """
    body: str
    author_name: str
    attribution: Literal["mailed_link", "mailed_code", "recorded_by_admin", "link_only"]
    """How the author was identified: by a link or code that was e-mailed to the client, by the review
    link only (the name is then not verified), or by the admin who recorded the feedback
    """
    anchor: Anchor | None
    created_at: str


class SignOff(TypedDict):
    """A client's sign-off of one version, with its proof"""

    deliverable_id: str
    version_number: int
    version_hash: str
    """The signed-off version's hash"""
    signer_name: str
    attribution: Literal["mailed_link", "mailed_code", "recorded_by_admin"]
    """How the signer was identified: by a link or code that was e-mailed to the client, or not at all
    if an admin recorded the sign-off
    """
    consent: str | None
    """The statement that the signer agreed to; null if an admin recorded the sign-off"""
    consent_version: int | None
    signed_off_at: str
    proof: str
    """A compact JWS (EdDSA) that contains these fields, the workspace's name, the title and the
    version chain. Verify it offline with the keys at /.well-known/jwks.json
    """


class CreatedDeliverable(TypedDict):
    id: str
    share_url: str
    """The URL where the client reviews the deliverable"""


class ScopeRequestEvidence(TypedDict):
    id: str
    client_id: str
    project_id: str | None
    deliverable_id: str | None
    content: str
    author_kind: Literal["client", "member", "system", "unknown"]
    author_name: str | None
    author_address: str | None
    external_id: str
    metadata: dict[str, Any]
    """The metadata that you sent, plus the `api_token_id` that the server adds"""
    created_at: str


class DryRunScopeRequestEvidence(TypedDict):
    id: str
    client_id: str
    project_id: str | None
    deliverable_id: str | None
    content: str
    author_kind: Literal["client", "member", "system", "unknown"]
    author_name: str | None
    author_address: str | None
    external_id: str | None
    """null if the request had neither an `external_id` nor an Idempotency-Key"""
    metadata: dict[str, Any]
    """The metadata that you sent, plus the `api_token_id` that the server adds"""
    created_at: str


class WrittenTimeEntry(TimeEntry):
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class RehearsedTimeEntry(TimeEntry):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status that the same write without `dry_run` would return"""
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class WrittenInvoice(Invoice):
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class RehearsedInvoice(Invoice):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status that the same write without `dry_run` would return"""
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class WrittenProject(Project):
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class RehearsedProject(Project):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status that the same write without `dry_run` would return"""
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class WrittenClient(Client):
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class RehearsedClient(Client):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status that the same write without `dry_run` would return"""
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class WrittenDeliverable(Deliverable):
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class RehearsedDeliverable(Deliverable):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status that the same write without `dry_run` would return"""
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class WrittenDeliverableVersion(DeliverableVersion):
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class RehearsedDeliverableVersion(DeliverableVersion):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status that the same write without `dry_run` would return"""
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class WrittenSendResult(SendResult):
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class RehearsedSendResult(DryRunSend):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status that the same write without `dry_run` would return"""
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class WrittenScopeRequestEvidence(ScopeRequestEvidence):
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class RehearsedScopeRequestEvidence(DryRunScopeRequestEvidence):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status that the same write without `dry_run` would return"""
    idempotent_replay: NotRequired[Literal[True]]
    """Present only on a replay: an earlier request with the same key performed the write"""


class _InFeed(TypedDict):
    id: str
    """The event's id, which its deliveries have as `webhook-event-id`"""
    category: Literal["delivery", "scope", "change", "money"] | str
    subject_id: str
    """The id of the record that the event is about"""


class FeedbackCreatedData(TypedDict):
    deliverable_id: str
    title: str
    version_number: int
    review_state: Literal["draft", "in_review", "changes_requested", "approved"] | str
    client_id: str
    client_name: str
    """The client's name"""
    project_id: str | None
    project_name: str
    """The project's name; empty if there is no project"""
    feedback_id: str
    kind: Literal["comment", "change_request"]
    author_name: str
    anchor: Anchor | None


class FeedbackCreated(TypedDict):
    """A client submits feedback on a deliverable"""

    event: Literal["feedback.created"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If you have already processed a
    newer event for the same record, still process what this event reports (such as a payment or a
    comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: FeedbackCreatedData


class FeedbackCreatedInFeed(FeedbackCreated, _InFeed):
    pass


class SignoffRecordedData(TypedDict):
    deliverable_id: str
    title: str
    version_number: int
    review_state: Literal["draft", "in_review", "changes_requested", "approved"] | str
    client_id: str
    client_name: str
    """The client's name"""
    project_id: str | None
    project_name: str
    """The project's name; empty if there is no project"""
    signer_name: str | None


class SignoffRecorded(TypedDict):
    """A deliverable sign-off completes"""

    event: Literal["signoff.recorded"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If you have already processed a
    newer event for the same record, still process what this event reports (such as a payment or a
    comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: SignoffRecordedData


class SignoffRecordedInFeed(SignoffRecorded, _InFeed):
    pass


class DeliverableSentData(TypedDict):
    deliverable_id: str
    title: str
    version_number: int
    review_state: Literal["draft", "in_review", "changes_requested", "approved"] | str
    client_id: str
    client_name: str
    """The client's name"""
    project_id: str | None
    project_name: str
    """The project's name; empty if there is no project"""
    sent_at: str


class DeliverableSent(TypedDict):
    """A deliverable is sent for review"""

    event: Literal["deliverable.sent"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If you have already processed a
    newer event for the same record, still process what this event reports (such as a payment or a
    comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: DeliverableSentData


class DeliverableSentInFeed(DeliverableSent, _InFeed):
    pass


class DeliverableRemindedData(TypedDict):
    deliverable_id: str
    title: str
    version_number: int
    review_state: Literal["draft", "in_review", "changes_requested", "approved"] | str
    client_id: str
    client_name: str
    """The client's name"""
    project_id: str | None
    project_name: str
    """The project's name; empty if there is no project"""
    reminder: int
    next_reminder_at: str | None


class DeliverableReminded(TypedDict):
    """A client is reminded of a deliverable that they have not responded to"""

    event: Literal["deliverable.reminded"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If you have already processed a
    newer event for the same record, still process what this event reports (such as a payment or a
    comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: DeliverableRemindedData


class DeliverableRemindedInFeed(DeliverableReminded, _InFeed):
    pass


class DeliverableSendFailedData(TypedDict):
    deliverable_id: str
    title: str
    version_number: int
    review_state: Literal["draft", "in_review", "changes_requested", "approved"] | str
    client_id: str
    client_name: str
    """The client's name"""
    project_id: str | None
    project_name: str
    """The project's name; empty if there is no project"""
    kind: Literal["bounced", "rejected", "failed", "complained"] | str
    reason: str | None
    """The reason that the mail service or the recipient's server gave"""


class DeliverableSendFailed(TypedDict):
    """A review or reminder e-mail bounces or is marked as spam"""

    event: Literal["deliverable.send_failed"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If you have already processed a
    newer event for the same record, still process what this event reports (such as a payment or a
    comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: DeliverableSendFailedData


class DeliverableSendFailedInFeed(DeliverableSendFailed, _InFeed):
    pass


class ChangeOrderSentData(TypedDict):
    change_order_id: str
    title: str
    status: str
    previous_status: str
    currency: str
    """An ISO 4217 code"""
    amount: float
    """A decimal amount, with as many decimal places as the currency has"""
    client_id: str
    client_name: str
    """The client's name"""
    project_id: str
    project_name: str
    """The project's name; empty if there is no project"""


class ChangeOrderSent(TypedDict):
    """A change order is sent for signing"""

    event: Literal["change_order.sent"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If you have already processed a
    newer event for the same record, still process what this event reports (such as a payment or a
    comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: ChangeOrderSentData


class ChangeOrderSentInFeed(ChangeOrderSent, _InFeed):
    pass


class ChangeOrderSignedData(TypedDict):
    change_order_id: str
    title: str
    status: str
    previous_status: str
    currency: str
    """An ISO 4217 code"""
    amount: float
    """A decimal amount, with as many decimal places as the currency has"""
    client_id: str
    client_name: str
    """The client's name"""
    project_id: str
    project_name: str
    """The project's name; empty if there is no project"""


class ChangeOrderSigned(TypedDict):
    """A change order is signed"""

    event: Literal["change_order.signed"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If you have already processed a
    newer event for the same record, still process what this event reports (such as a payment or a
    comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: ChangeOrderSignedData


class ChangeOrderSignedInFeed(ChangeOrderSigned, _InFeed):
    pass


class ChangeOrderDeclinedData(TypedDict):
    change_order_id: str
    title: str
    status: str
    previous_status: str
    currency: str
    """An ISO 4217 code"""
    amount: float
    """A decimal amount, with as many decimal places as the currency has"""
    client_id: str
    client_name: str
    """The client's name"""
    project_id: str
    project_name: str
    """The project's name; empty if there is no project"""


class ChangeOrderDeclined(TypedDict):
    """A change order is declined"""

    event: Literal["change_order.declined"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If you have already processed a
    newer event for the same record, still process what this event reports (such as a payment or a
    comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: ChangeOrderDeclinedData


class ChangeOrderDeclinedInFeed(ChangeOrderDeclined, _InFeed):
    pass


class ChangeDecisionSentData(TypedDict):
    change_decision_id: str
    title: str
    kind: Literal["decision", "milestone_gate"]
    status: str
    previous_status: str
    client_id: str
    client_name: str
    """The client's name"""
    project_id: str
    project_name: str
    """The project's name; empty if there is no project"""


class ChangeDecisionSent(TypedDict):
    """A change decision or milestone gate is sent"""

    event: Literal["change_decision.sent"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If you have already processed a
    newer event for the same record, still process what this event reports (such as a payment or a
    comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: ChangeDecisionSentData


class ChangeDecisionSentInFeed(ChangeDecisionSent, _InFeed):
    pass


class InvoiceSentData(TypedDict):
    invoice_id: str
    number: str
    status: str
    """New values may be added"""
    previous_status: str
    currency: str
    """An ISO 4217 code"""
    total: float
    """A decimal amount, with as many decimal places as the currency has"""
    amount_paid: float
    """A decimal amount, with as many decimal places as the currency has"""
    amount_due: float
    """A decimal amount, with as many decimal places as the currency has"""
    issue_date: str | None
    due_date: str | None
    client_id: str
    client_name: str
    """The client's name"""
    project_id: str | None
    project_name: str
    """The project's name; empty if there is no project"""


class InvoiceSent(TypedDict):
    """An invoice moves from draft to open"""

    event: Literal["invoice.sent"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If you have already processed a
    newer event for the same record, still process what this event reports (such as a payment or a
    comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: InvoiceSentData


class InvoiceSentInFeed(InvoiceSent, _InFeed):
    pass


class InvoicePaidData(TypedDict):
    invoice_id: str
    number: str
    status: str
    """New values may be added"""
    previous_status: str
    currency: str
    """An ISO 4217 code"""
    total: float
    """A decimal amount, with as many decimal places as the currency has"""
    amount_paid: float
    """A decimal amount, with as many decimal places as the currency has"""
    amount_due: float
    """A decimal amount, with as many decimal places as the currency has"""
    amount_received: float
    """The amount of this payment, which differs from total for a partial payment"""
    client_name: str
    """The client's name"""
    project_name: str
    """The project's name; empty if there is no project"""
    collected_via: Literal["stripe", "offline"]
    """Whether the payment was made online (through a processor) or offline"""


class InvoicePaid(TypedDict):
    """An invoice is paid in full or in part, from any source"""

    event: Literal["invoice.paid"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If you have already processed a
    newer event for the same record, still process what this event reports (such as a payment or a
    comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: InvoicePaidData


class InvoicePaidInFeed(InvoicePaid, _InFeed):
    pass


class InvoiceOverdueData(TypedDict):
    invoice_id: str
    number: str
    status: str
    """New values may be added"""
    previous_status: str
    currency: str
    """An ISO 4217 code"""
    total: float
    """A decimal amount, with as many decimal places as the currency has"""
    amount_paid: float
    """A decimal amount, with as many decimal places as the currency has"""
    amount_due: float
    """A decimal amount, with as many decimal places as the currency has"""
    issue_date: str | None
    due_date: str | None
    client_id: str
    client_name: str
    """The client's name"""
    project_id: str | None
    project_name: str
    """The project's name; empty if there is no project"""


class InvoiceOverdue(TypedDict):
    """An invoice passes its due date unsettled"""

    event: Literal["invoice.overdue"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If you have already processed a
    newer event for the same record, still process what this event reports (such as a payment or a
    comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: InvoiceOverdueData


class InvoiceOverdueInFeed(InvoiceOverdue, _InFeed):
    pass


class InvoiceRefundedData(TypedDict):
    invoice_id: str
    number: str
    status: str
    """New values may be added"""
    previous_status: str
    currency: str
    """An ISO 4217 code"""
    total: float
    """A decimal amount, with as many decimal places as the currency has"""
    amount_paid: float
    """A decimal amount, with as many decimal places as the currency has"""
    amount_due: float
    """A decimal amount, with as many decimal places as the currency has"""
    issue_date: str | None
    due_date: str | None
    client_id: str
    client_name: str
    """The client's name"""
    project_id: str | None
    project_name: str
    """The project's name; empty if there is no project"""
    amount_refunded: float
    """The amount of this refund, which was deducted from amount_paid"""


class InvoiceRefunded(TypedDict):
    """An invoice is refunded, in full or in part"""

    event: Literal["invoice.refunded"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If you have already processed a
    newer event for the same record, still process what this event reports (such as a payment or a
    comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: InvoiceRefundedData


class InvoiceRefundedInFeed(InvoiceRefunded, _InFeed):
    pass


class InvoiceDisputedData(TypedDict):
    invoice_id: str
    number: str
    status: str
    """New values may be added"""
    previous_status: str
    currency: str
    """An ISO 4217 code"""
    total: float
    """A decimal amount, with as many decimal places as the currency has"""
    amount_paid: float
    """A decimal amount, with as many decimal places as the currency has"""
    amount_due: float
    """A decimal amount, with as many decimal places as the currency has"""
    issue_date: str | None
    due_date: str | None
    client_id: str
    client_name: str
    """The client's name"""
    project_id: str | None
    project_name: str
    """The project's name; empty if there is no project"""
    amount_disputed: float
    """The amount disputed or returned"""
    dispute_status: Literal["opened", "won"]
    """With `opened`, the amount was deducted from `amount_paid`. With `won`, it was added again"""


class InvoiceDisputed(TypedDict):
    """A payment is disputed, or a dispute is won and the money is returned"""

    event: Literal["invoice.disputed"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If you have already processed a
    newer event for the same record, still process what this event reports (such as a payment or a
    comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: InvoiceDisputedData


class InvoiceDisputedInFeed(InvoiceDisputed, _InFeed):
    pass


class DepositClearedData(TypedDict):
    deposit_id: str
    status: str
    previous_status: str
    currency: str
    """An ISO 4217 code"""
    amount: float
    """A decimal amount, with as many decimal places as the currency has"""
    collected_via: Literal["stripe", "offline"]
    """Whether the payment was made online (through a processor) or offline"""
    client_id: str
    client_name: str
    """The client's name"""
    project_id: str
    project_name: str
    """The project's name; empty if there is no project"""


class DepositCleared(TypedDict):
    """A deposit clears and the kickoff gate releases"""

    event: Literal["deposit.cleared"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If you have already processed a
    newer event for the same record, still process what this event reports (such as a payment or a
    comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: DepositClearedData


class DepositClearedInFeed(DepositCleared, _InFeed):
    pass


WebhookEvent = (
    FeedbackCreated
    | SignoffRecorded
    | DeliverableSent
    | DeliverableReminded
    | DeliverableSendFailed
    | ChangeOrderSent
    | ChangeOrderSigned
    | ChangeOrderDeclined
    | ChangeDecisionSent
    | InvoiceSent
    | InvoicePaid
    | InvoiceOverdue
    | InvoiceRefunded
    | InvoiceDisputed
    | DepositCleared
)


FeedEvent = (
    FeedbackCreatedInFeed
    | SignoffRecordedInFeed
    | DeliverableSentInFeed
    | DeliverableRemindedInFeed
    | DeliverableSendFailedInFeed
    | ChangeOrderSentInFeed
    | ChangeOrderSignedInFeed
    | ChangeOrderDeclinedInFeed
    | ChangeDecisionSentInFeed
    | InvoiceSentInFeed
    | InvoicePaidInFeed
    | InvoiceOverdueInFeed
    | InvoiceRefundedInFeed
    | InvoiceDisputedInFeed
    | DepositClearedInFeed
)
