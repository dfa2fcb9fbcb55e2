"""Made from openapi.json: `npm run openapi` makes it again."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class NewTimeEntryByHours(TypedDict):
    project_id: str
    hours: float
    """At most two decimal places"""
    spent_date: str
    """The day the work was done. With started_at and ended_at, the default is the day of started_at in
    its own UTC offset
    """
    description: NotRequired[str]
    billable: NotRequired[bool]
    """Default: true"""
    hourly_rate: NotRequired[float]
    """Decimal amount, with at most as many decimal places as the currency has"""


class NewTimeEntryByStartAndEnd(TypedDict):
    project_id: str
    spent_date: NotRequired[str]
    """The day the work was done. With started_at and ended_at, the default is the day of started_at in
    its own UTC offset
    """
    started_at: str
    ended_at: str
    """After started_at, by at most 24 hours"""
    description: NotRequired[str]
    billable: NotRequired[bool]
    """Default: true"""
    hourly_rate: NotRequired[float]
    """Decimal amount, with at most as many decimal places as the currency has"""


NewTimeEntry = NewTimeEntryByHours | NewTimeEntryByStartAndEnd


class NewInvoiceLineItem(TypedDict):
    description: str
    quantity: float
    """At most four decimal places"""
    unit_price: float
    """Decimal amount, with at most as many decimal places as the currency has"""
    tax_rate: NotRequired[float]
    """Percent, with at most four decimal places. Default: 0"""
    time_entry_id: NotRequired[str]


class NewInvoice(TypedDict):
    """Notes and descriptions can have at most 65536 bytes in total, as JSON in UTF-8"""

    client_id: str
    project_id: NotRequired[str]
    currency: NotRequired[str]
    """An active ISO 4217 code. Default: the organization's"""
    due_date: NotRequired[str]
    notes: NotRequired[str]
    external_id: NotRequired[str]
    line_items: list[NewInvoiceLineItem]


class NewProjectMilestone(TypedDict):
    name: str
    due_date: NotRequired[str]
    amount: NotRequired[float]
    """Decimal amount, with at most as many decimal places as the currency has"""


class NewProject(TypedDict):
    client_id: str
    name: str
    description: NotRequired[str]
    currency: NotRequired[str]
    """An active ISO 4217 code. Default: the organization's"""
    included_revision_rounds: NotRequired[int]
    start_date: NotRequired[str]
    end_date: NotRequired[str]
    """Not before start_date"""
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
    """A project that belongs to the same client"""
    embed_url: str
    """An https URL"""
    image_base64: NotRequired[str]
    """Raw base64 or a data: URL of a PNG, JPEG, WebP or GIF image, at most 10 MB decoded"""


class NewDeliverableWithAnImage(TypedDict):
    title: str
    client_id: str
    project_id: NotRequired[str]
    """A project that belongs to the same client"""
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
    """A personal note, shown in the e-mail as plain text"""
    remind_after_days: NotRequired[int]
    """Remind the client after this many days; 0 for never. Default: the workspace's setting"""


class NewScopeRequestEvidence(TypedDict):
    client_id: str
    project_id: NotRequired[str]
    """A project that belongs to the same client"""
    deliverable_id: NotRequired[str]
    """A deliverable that belongs to the same client"""
    content: str
    author_kind: NotRequired[Literal["client", "member", "system", "unknown"]]
    """Default: "client\""""
    author_name: NotRequired[str]
    author_address: NotRequired[str]
    external_id: NotRequired[str]
    """Unique in the workspace. Default: the Idempotency-Key"""
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
    """The path of the field"""
    message: str
    """What is wrong, starting with the field's name"""
    suggestion: NotRequired[str]
    """The field name you probably meant"""


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
    """ISO 4217"""
    invoice_id: str | None
    client_ref: str | None
    """The Idempotency-Key of the request that created the entry"""
    created_at: str
    updated_at: str


class Invoice(TypedDict):
    id: str
    number: str | None
    """Assigned when the invoice opens; null on a draft"""
    client_id: str
    project_id: str | None
    status: Literal["draft", "open", "partially_paid", "overdue", "paid", "void"] | str
    currency: str
    """ISO 4217"""
    issue_date: str | None
    due_date: str | None
    subtotal: float
    """Decimal amount, with as many decimal places as the currency has"""
    tax_total: float
    """Decimal amount, with as many decimal places as the currency has"""
    total: float
    """Decimal amount, with as many decimal places as the currency has"""
    amount_paid: float
    """Decimal amount, with as many decimal places as the currency has"""
    amount_due: float
    """Decimal amount, with as many decimal places as the currency has"""
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
    """Decimal amount, with as many decimal places as the currency has"""
    tax_rate: float
    """Percent"""
    amount: float
    """quantity x unit_price, rounded half away from zero"""
    time_entry_id: str | None


class Project(TypedDict):
    id: str
    client_id: str
    name: str
    description: str | None
    status: Literal["active", "completed", "archived"] | str
    currency: str
    """ISO 4217"""
    included_revision_rounds: int | None
    """null if unlimited"""
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
    """company_name, or client_name if company_name is empty"""
    company_name: str | None
    client_name: str | None
    email: str | None
    status: Literal["active", "archived"] | str
    is_sample: bool
    """Onboarding sample data: it is never e-mailed and creates no events"""
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
    """The image's path in the private asset store"""
    review_state: Literal["draft", "in_review", "changes_requested", "approved"] | str
    """Derived by the server. Branch on this field"""
    current_state: Literal["open", "signed_off"] | str
    """The raw stored value"""
    status_label: str | None
    """For display only; workspaces can rename it"""
    version_number: int
    """The newest version"""
    is_sample: bool
    """Onboarding sample data: it is never e-mailed and creates no events"""
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
    """`complained`: the e-mail was delivered, and its recipient marked it as spam"""
    reason: str | None
    """The reason given by the mail service or the recipient's server, at most 500 characters; it never
    contains an e-mail address
    """


class DeliverableVersion(TypedDict):
    """An immutable snapshot that contains the previous version's hash"""

    id: str
    deliverable_id: str
    version_number: int
    title: str
    embed_url: str | None
    asset_path: str | None
    asset_content_type: str | None
    """The type, detected from the image's bytes"""
    asset_sha256: str | None
    note: str | None
    previous_hash: str | None
    """The previous version's hash; null on version 1"""
    hash: str
    """SHA-256 of the RFC 8785 canonical JSON of all other fields except id, lower-case hexadecimal"""
    created_by: str
    """The admin who created the token"""
    created_at: str


class SendResult(TypedDict):
    ok: Literal[True]
    status_warning: str | None
    """If not null, the e-mail was sent but the status could not be updated. The send succeeded, so do
    not send again
    """
    id: str
    """The deliverable"""
    version_number: int
    """The version that was sent"""
    sent_at: str
    reminder_due_at: str | None
    """When the client will be reminded unless they respond first; null if no reminder is pending"""


class DryRunSendMail(TypedDict):
    """The e-mail that the real request would send; absent for a replay, which does not send one"""

    to: str
    """The client's e-mail address, masked"""
    subject: str
    text: str
    """The e-mail's text, with a placeholder for the personal link"""


class DryRunSend(TypedDict):
    ok: Literal[True]
    status_warning: str | None
    """If not null, the e-mail was sent but the status could not be updated. The send succeeded, so do
    not send again
    """
    id: str
    """The deliverable"""
    version_number: int
    """The version that was sent"""
    sent_at: str
    reminder_due_at: str | None
    """When the client will be reminded unless they respond first; null if no reminder is pending"""
    mail: NotRequired[DryRunSendMail]
    """The e-mail that the real request would send; absent for a replay, which does not send one"""


class TokenOrganization(TypedDict):
    id: str
    slug: str
    name: str
    plan: str
    currency: str
    """ISO 4217"""
    features: list[str]


class Token(TypedDict):
    id: str
    name: str
    token_prefix: str
    """The first 14 characters, safe to show"""
    scopes: list[str]
    organization: TokenOrganization
    requests_per_minute: int
    """The organization's limit, shared by all its tokens"""
    created_at: str
    expires_at: str | None
    """When the token expires; null if it does not"""
    allowed_ips: list[str] | None
    """The IP addresses and CIDR ranges the token can be used from; null if it can be used from any
    address
    """
    last_used_at: str | None
    """When the token was last used before this request, to the minute; null if this is its first
    request
    """


class ApiRequestToken(TypedDict):
    id: str
    name: str
    token_prefix: str
    """The first 14 characters, safe to show"""


class ApiRequest(TypedDict):
    request_id: str
    """The `X-Request-Id` of the response"""
    at: str
    """When the request arrived"""
    token: ApiRequestToken
    method: str
    route: str
    """The path's template, such as /api-v1/clients/{id}"""
    status: int
    code: str | None
    """The error's code; null if there is none"""
    error: str | None
    """The error's message, without unknown field names and cut to 300 characters; null if the request
    succeeded
    """
    duration_ms: int
    replay: bool
    """Whether an earlier request with the same key had already done the work"""
    subject_id: str | None
    """The record in the path, or the record the request created"""
    count: NotRequired[int]
    """Only with status 429: the number of the token's requests to this route that got a 429 in the
    same minute. The other fields describe the first of them
    """


class Feedback(TypedDict):
    """A comment, change request or reply in a review. It never changes, except that erasing the client
    replaces `author_name` and `body`.
    """

    id: str
    deliverable_id: str
    version_number: int
    """The version that the feedback is about"""
    kind: Literal["comment", "change_request", "reply"]
    """A client's comment or request for changes, or the workspace's `reply`, which changes no state"""
    body: str
    author_name: str
    attribution: Literal["mailed_link", "mailed_code", "recorded_by_admin", "link_only"]
    """How the author was identified: by a link or code e-mailed to the client, only by the review link
    (the name is then unverified), or by the admin who recorded the feedback
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
    """How the signer was identified: by a link or code e-mailed to the client, or not at all if an
    admin recorded it
    """
    consent: str | None
    """The statement that the signer agreed to; null if an admin recorded the sign-off"""
    consent_version: int | None
    signed_off_at: str
    proof: str
    """Compact JWS (EdDSA) over these fields, the workspace's name, the title and the version chain.
    Verify it offline with the keys at /.well-known/jwks.json
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
    """The metadata you sent, plus the api_token_id that the server adds"""
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
    """null if the request has neither external_id nor Idempotency-Key"""
    metadata: dict[str, Any]
    """The metadata you sent, plus the api_token_id that the server adds"""
    created_at: str


class WrittenTimeEntry(TimeEntry):
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class RehearsedTimeEntry(TimeEntry):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status of the same write without dry_run"""
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class WrittenInvoice(Invoice):
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class RehearsedInvoice(Invoice):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status of the same write without dry_run"""
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class WrittenProject(Project):
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class RehearsedProject(Project):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status of the same write without dry_run"""
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class WrittenClient(Client):
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class RehearsedClient(Client):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status of the same write without dry_run"""
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class WrittenDeliverable(Deliverable):
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class RehearsedDeliverable(Deliverable):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status of the same write without dry_run"""
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class WrittenDeliverableVersion(DeliverableVersion):
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class RehearsedDeliverableVersion(DeliverableVersion):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status of the same write without dry_run"""
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class WrittenSendResult(SendResult):
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class RehearsedSendResult(DryRunSend):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status of the same write without dry_run"""
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class WrittenScopeRequestEvidence(ScopeRequestEvidence):
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class RehearsedScopeRequestEvidence(DryRunScopeRequestEvidence):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status of the same write without dry_run"""
    idempotent_replay: NotRequired[Literal[True]]
    """There only on a replay: an earlier request with the same key did the work"""


class _InFeed(TypedDict):
    id: str
    """The webhook-event-id of the event's deliveries"""
    category: Literal["delivery", "scope", "change", "money"] | str
    subject_id: str
    """The record it is about"""


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
    """When the event happened. Deliveries can arrive out of order. If this event is older than one you
    have processed for the same record, still handle what happened (an amount received, a comment),
    but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
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
    """When the event happened. Deliveries can arrive out of order. If this event is older than one you
    have processed for the same record, still handle what happened (an amount received, a comment),
    but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
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
    """When the event happened. Deliveries can arrive out of order. If this event is older than one you
    have processed for the same record, still handle what happened (an amount received, a comment),
    but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
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
    """When the event happened. Deliveries can arrive out of order. If this event is older than one you
    have processed for the same record, still handle what happened (an amount received, a comment),
    but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
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
    """The reason given by the mail service or the recipient's server"""


class DeliverableSendFailed(TypedDict):
    """A review or reminder e-mail bounces or is marked as spam"""

    event: Literal["deliverable.send_failed"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If this event is older than one you
    have processed for the same record, still handle what happened (an amount received, a comment),
    but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
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
    """ISO 4217"""
    amount: float
    """Decimal amount, with as many decimal places as the currency has"""
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
    """When the event happened. Deliveries can arrive out of order. If this event is older than one you
    have processed for the same record, still handle what happened (an amount received, a comment),
    but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
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
    """ISO 4217"""
    amount: float
    """Decimal amount, with as many decimal places as the currency has"""
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
    """When the event happened. Deliveries can arrive out of order. If this event is older than one you
    have processed for the same record, still handle what happened (an amount received, a comment),
    but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
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
    """ISO 4217"""
    amount: float
    """Decimal amount, with as many decimal places as the currency has"""
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
    """When the event happened. Deliveries can arrive out of order. If this event is older than one you
    have processed for the same record, still handle what happened (an amount received, a comment),
    but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
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
    """When the event happened. Deliveries can arrive out of order. If this event is older than one you
    have processed for the same record, still handle what happened (an amount received, a comment),
    but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
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
    """ISO 4217"""
    total: float
    """Decimal amount, with as many decimal places as the currency has"""
    amount_paid: float
    """Decimal amount, with as many decimal places as the currency has"""
    amount_due: float
    """Decimal amount, with as many decimal places as the currency has"""
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
    """When the event happened. Deliveries can arrive out of order. If this event is older than one you
    have processed for the same record, still handle what happened (an amount received, a comment),
    but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
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
    """ISO 4217"""
    total: float
    """Decimal amount, with as many decimal places as the currency has"""
    amount_paid: float
    """Decimal amount, with as many decimal places as the currency has"""
    amount_due: float
    """Decimal amount, with as many decimal places as the currency has"""
    amount_received: float
    """The amount of this payment, which differs from total for a partial payment"""
    client_name: str
    """The client's name"""
    project_name: str
    """The project's name; empty if there is no project"""
    collected_via: Literal["stripe", "offline"]
    """How it was paid: through an online processor or offline"""


class InvoicePaid(TypedDict):
    """An invoice is paid in full or in part, from any source"""

    event: Literal["invoice.paid"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If this event is older than one you
    have processed for the same record, still handle what happened (an amount received, a comment),
    but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
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
    """ISO 4217"""
    total: float
    """Decimal amount, with as many decimal places as the currency has"""
    amount_paid: float
    """Decimal amount, with as many decimal places as the currency has"""
    amount_due: float
    """Decimal amount, with as many decimal places as the currency has"""
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
    """When the event happened. Deliveries can arrive out of order. If this event is older than one you
    have processed for the same record, still handle what happened (an amount received, a comment),
    but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
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
    """ISO 4217"""
    total: float
    """Decimal amount, with as many decimal places as the currency has"""
    amount_paid: float
    """Decimal amount, with as many decimal places as the currency has"""
    amount_due: float
    """Decimal amount, with as many decimal places as the currency has"""
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
    """When the event happened. Deliveries can arrive out of order. If this event is older than one you
    have processed for the same record, still handle what happened (an amount received, a comment),
    but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
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
    """ISO 4217"""
    total: float
    """Decimal amount, with as many decimal places as the currency has"""
    amount_paid: float
    """Decimal amount, with as many decimal places as the currency has"""
    amount_due: float
    """Decimal amount, with as many decimal places as the currency has"""
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
    """`opened`: the amount was deducted from amount_paid; `won`: it was added again"""


class InvoiceDisputed(TypedDict):
    """A payment is disputed, or a dispute is won and the money is returned"""

    event: Literal["invoice.disputed"]
    created_at: str
    """When the event happened. Deliveries can arrive out of order. If this event is older than one you
    have processed for the same record, still handle what happened (an amount received, a comment),
    but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
    """
    data: InvoiceDisputedData


class InvoiceDisputedInFeed(InvoiceDisputed, _InFeed):
    pass


class DepositClearedData(TypedDict):
    deposit_id: str
    status: str
    previous_status: str
    currency: str
    """ISO 4217"""
    amount: float
    """Decimal amount, with as many decimal places as the currency has"""
    collected_via: Literal["stripe", "offline"]
    """How it was paid: through an online processor or offline"""
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
    """When the event happened. Deliveries can arrive out of order. If this event is older than one you
    have processed for the same record, still handle what happened (an amount received, a comment),
    but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
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
