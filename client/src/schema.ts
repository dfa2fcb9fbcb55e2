/** Generated from openapi.json with openapi-typescript by `npm run openapi`. */

export interface paths {
    "/api-v1/time-entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List time entries
         * @description Sorted by (updated_at, id), ascending. Follow `next_cursor` until it is null. You can combine filters. With filters, a page may have fewer records than `limit`, or none.
         *
         *     Scope: `time:read`.
         */
        get: operations["listTimeEntries"];
        put?: never;
        /**
         * Log time
         * @description Send either `hours` and `spent_date`, or `started_at` and `ended_at`.
         *
         *     Scope: `time:write`.
         */
        post: operations["createTimeEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/time-entries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a time entry
         * @description Scope: `time:read`.
         */
        get: operations["getTimeEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices with their line items
         * @description Sorted by (updated_at, id), ascending. Follow `next_cursor` until it is null. You can combine filters. With filters, a page may have fewer records than `limit`, or none.
         *
         *     Scope: `invoice:read`.
         */
        get: operations["listInvoices"];
        put?: never;
        /**
         * Draft an invoice
         * @description Creates the invoice as a draft. The API never issues or sends invoices, and never changes their payment state.
         *
         *     Scope: `invoice:write`.
         */
        post: operations["createInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invoice
         * @description Scope: `invoice:read`.
         */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects with their milestones
         * @description Sorted by (updated_at, id), ascending. Follow `next_cursor` until it is null. You can combine filters. With filters, a page may have fewer records than `limit`, or none.
         *
         *     Scope: `project:read`.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description Scope: `project:write`.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a project with its milestones
         * @description Scope: `project:read`.
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List clients
         * @description Sorted by (updated_at, id), ascending. Follow `next_cursor` until it is null. You can combine filters. With filters, a page may have fewer records than `limit`, or none.
         *
         *     Scope: `client:read`.
         */
        get: operations["listClients"];
        put?: never;
        /**
         * Create a client
         * @description Scope: `client:write`.
         */
        post: operations["createClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/clients/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a client
         * @description Scope: `client:read`.
         */
        get: operations["getClient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/deliverables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliverables
         * @description Sorted by (updated_at, id), ascending. Follow `next_cursor` until it is null. You can combine filters. With filters, a page may have fewer records than `limit`, or none.
         *
         *     Scope: `deliverable:read`.
         */
        get: operations["listDeliverables"];
        put?: never;
        /**
         * Create a deliverable
         * @description Also creates the first version, including the image. The deliverable counts toward the plan's deliverable limit. SVG and PDF files cannot be stored; link to them with `embed_url` instead. `share_url` uses the origin in the request's `Origin` header if it is an https origin.
         *
         *     Scope: `deliverable:write`.
         */
        post: operations["createDeliverable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/deliverables/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a deliverable
         * @description Scope: `deliverable:read`.
         */
        get: operations["getDeliverable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/deliverables/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a deliverable's versions
         * @description Sorted by version_number, ascending. Follow `next_cursor` until it is null.
         *
         *     Scope: `deliverable:read`.
         */
        get: operations["listDeliverableVersions"];
        put?: never;
        /**
         * Append a version; omitted fields keep their values
         * @description Adds an immutable snapshot that becomes the working copy and starts a new review. If you omit `image_base64`, the version keeps the current image. A new version uses one of the project's revision rounds, but does not count toward the plan's deliverable limit.
         *
         *     Scope: `deliverable:write`.
         */
        post: operations["createDeliverableVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/deliverables/{id}/versions/{n}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a version
         * @description Scope: `deliverable:read`.
         */
        get: operations["getDeliverableVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/deliverables/{id}/versions/{n}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a version's image
         * @description Streams the stored image. `ETag` is the image's SHA-256. With `If-None-Match`, the response is 304 if the image is unchanged. With `Range`, it is a part of the image. Returns 404 if the version has no image.
         *
         *     Scope: `deliverable:read`.
         */
        get: operations["getDeliverableVersionImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/deliverables/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * E-mail the client a link to review the newest version
         * @description The Idempotency-Key is recorded before the e-mail is sent, and is bound to one version. To send a later version, use a new key. A 200 with a `status_warning` is a success: the e-mail was sent, so do not send it again. If the client does not respond, we remind them after `remind_after_days`, up to three times. Fires `deliverable.sent` and, for each reminder, `deliverable.reminded`.
         *
         *     Scope: `deliverable:send`.
         */
        post: operations["sendDeliverable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events in commit order
         * @description Includes every event of the last 30 days, whether or not an endpoint subscribes to it. To get each event exactly once, store `latest_cursor` and pass it as `cursor` in the next request. With `types`, a page may have fewer events than `limit`, or none, so follow `next_cursor` until it is null. Without `types`, you get every event that the token's scopes allow. A type that the scopes do not allow returns 403 `insufficient_scope`. With `wait`, a request that would return an empty page waits up to that many seconds for an event. At most 5 of a token's requests can wait at a time; any more return 429.
         *
         *     Scopes, depending on the event types: `deliverable:read`, `project:read`, `invoice:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the token, its workspace and its scopes
         * @description Requires a valid token with any scope.
         */
        get: operations["getToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your recent requests and their errors
         * @description The token's requests from the last 7 days, newest first. At most 10,000 requests are kept per workspace. A request appears within two seconds of its response. All 429s of a route within the same minute share one entry with a `count`. The log stores none of the data that you sent, except the id in the path.
         *
         *     Requires a valid token with any scope.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/deliverables/{id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a deliverable's feedback
         * @description Comments, change requests and replies for all versions, sorted by (created_at, id), ascending. Follow `next_cursor` until it is null.
         *
         *     Scope: `deliverable:read`.
         */
        get: operations["listDeliverableFeedback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-v1/deliverables/{id}/sign-off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a deliverable's sign-off, with a proof that you can verify offline
         * @description Returns 404 until the deliverable is signed off.
         *
         *     Scope: `deliverable:read`.
         */
        get: operations["getDeliverableSignOff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-list-clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List active clients
         * @deprecated
         * @description Returns up to 500 active clients, sorted by client_name. Use GET /api-v1/clients instead; no removal date is set.
         *
         *     Scope: `client:read`.
         */
        get: operations["legacyListClients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-create-deliverable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a deliverable
         * @description `embed_url` defaults to the deliverable's share URL. In new integrations, use POST /api-v1/deliverables, which can be retried safely.
         *
         *     Scope: `deliverable:write`.
         */
        post: operations["legacyCreateDeliverable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-ingest-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ingest a client message as scope-request evidence
         * @description Requires the workspace feature `connector_api_ingest`. `external_id` is unique in the workspace. Sending the same content again replays the first record, even with a different Idempotency-Key. Sending different content returns 409 `idempotency_key_reused`.
         *
         *     Scope: `request:write`.
         */
        post: operations["ingestRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "feedback.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A client submits feedback on a deliverable
         * @description Category `delivery`. Verify the signature against the raw body before you parse it.
         */
        post: operations["feedbackCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "signoff.recorded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A deliverable sign-off completes
         * @description Category `delivery`. Verify the signature against the raw body before you parse it.
         */
        post: operations["signoffRecorded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deliverable.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A deliverable is sent for review
         * @description Category `delivery`. Verify the signature against the raw body before you parse it.
         */
        post: operations["deliverableSent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deliverable.reminded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A client is reminded of a deliverable that they have not responded to
         * @description Category `delivery`. Verify the signature against the raw body before you parse it.
         */
        post: operations["deliverableReminded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deliverable.send_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A review or reminder e-mail bounces or is marked as spam
         * @description Category `delivery`. Verify the signature against the raw body before you parse it.
         */
        post: operations["deliverableSendFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "change_order.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A change order is sent for signing
         * @description Category `scope`. Verify the signature against the raw body before you parse it.
         */
        post: operations["changeOrderSent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "change_order.signed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A change order is signed
         * @description Category `scope`. Verify the signature against the raw body before you parse it.
         */
        post: operations["changeOrderSigned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "change_order.declined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A change order is declined
         * @description Category `scope`. Verify the signature against the raw body before you parse it.
         */
        post: operations["changeOrderDeclined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "change_decision.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A change decision or milestone gate is sent
         * @description Category `change`. Verify the signature against the raw body before you parse it.
         */
        post: operations["changeDecisionSent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An invoice moves from draft to open
         * @description Category `money`. Verify the signature against the raw body before you parse it.
         */
        post: operations["invoiceSent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An invoice is paid in full or in part, from any source
         * @description Category `money`. Verify the signature against the raw body before you parse it.
         */
        post: operations["invoicePaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.overdue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An invoice passes its due date unsettled
         * @description Category `money`. Verify the signature against the raw body before you parse it.
         */
        post: operations["invoiceOverdue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An invoice is refunded, in full or in part
         * @description Category `money`. Verify the signature against the raw body before you parse it.
         */
        post: operations["invoiceRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.disputed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment is disputed, or a dispute is won and the money is returned
         * @description Category `money`. Verify the signature against the raw body before you parse it.
         */
        post: operations["invoiceDisputed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.cleared": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A deposit clears and the kickoff gate releases
         * @description Category `money`. Verify the signature against the raw body before you parse it.
         */
        post: operations["depositCleared"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        NewTimeEntry: {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            project_id: string;
            /** @description Can have at most two decimal places */
            hours: number;
            /**
             * Format: date
             * @description The day on which the work was done. With `started_at` and `ended_at`, the default is the calendar day of `started_at` in the UTC offset that you sent
             * @example 2026-01-31
             */
            spent_date: string;
            description?: string;
            /** @description Default: true */
            billable?: boolean;
            /** @description A decimal amount, with at most as many decimal places as the currency has */
            hourly_rate?: number;
        } | {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            project_id: string;
            /**
             * Format: date
             * @description The day on which the work was done. With `started_at` and `ended_at`, the default is the calendar day of `started_at` in the UTC offset that you sent
             * @example 2026-01-31
             */
            spent_date?: string;
            /**
             * Format: date-time
             * @example 2026-01-31T10:30:00+01:00
             */
            started_at: string;
            /**
             * Format: date-time
             * @description Must be later than `started_at`, by at most 24 hours
             * @example 2026-01-31T12:00:00+01:00
             */
            ended_at: string;
            description?: string;
            /** @description Default: true */
            billable?: boolean;
            /** @description A decimal amount, with at most as many decimal places as the currency has */
            hourly_rate?: number;
        };
        /** @description As UTF-8 JSON, notes and descriptions can have at most 65536 bytes in total */
        NewInvoice: {
            /**
             * Format: uuid
             * @example 2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11
             */
            client_id: string;
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            project_id?: string;
            /**
             * @description An active ISO 4217 code. Default: the workspace's currency
             * @example USD
             */
            currency?: string;
            /**
             * Format: date
             * @example 2026-01-31
             */
            due_date?: string;
            notes?: string;
            external_id?: string;
            line_items: {
                description: string;
                /** @description Can have at most four decimal places */
                quantity: number;
                /** @description A decimal amount, with at most as many decimal places as the currency has */
                unit_price: number;
                /** @description In percent, with at most four decimal places. Default: 0 */
                tax_rate?: number;
                /**
                 * Format: uuid
                 * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                 */
                time_entry_id?: string;
            }[];
        };
        NewProject: {
            /**
             * Format: uuid
             * @example 2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11
             */
            client_id: string;
            name: string;
            description?: string;
            /**
             * @description An active ISO 4217 code. Default: the workspace's currency
             * @example USD
             */
            currency?: string;
            included_revision_rounds?: number;
            /**
             * Format: date
             * @example 2026-01-31
             */
            start_date?: string;
            /**
             * Format: date
             * @description Must not be before `start_date`
             * @example 2026-01-31
             */
            end_date?: string;
            external_id?: string;
            milestones?: {
                name: string;
                /**
                 * Format: date
                 * @example 2026-01-31
                 */
                due_date?: string;
                /** @description A decimal amount, with at most as many decimal places as the currency has */
                amount?: number;
            }[];
        };
        NewClient: {
            company_name: string;
            client_name?: string;
            /** Format: email */
            email?: string;
            external_id?: string;
        } | {
            company_name?: string;
            client_name: string;
            /** Format: email */
            email?: string;
            external_id?: string;
        };
        NewDeliverable: {
            title: string;
            /**
             * Format: uuid
             * @example 2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11
             */
            client_id: string;
            /**
             * Format: uuid
             * @description A project of the same client
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            project_id?: string;
            /** @description An https URL */
            embed_url: string;
            /** @description Raw base64 or a data: URL of a PNG, JPEG, WebP or GIF image, at most 10 MB decoded */
            image_base64?: string;
        } | {
            title: string;
            /**
             * Format: uuid
             * @example 2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11
             */
            client_id: string;
            /**
             * Format: uuid
             * @description A project of the same client
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            project_id?: string;
            /** @description An https URL */
            embed_url?: string;
            /** @description Raw base64 or a data: URL of a PNG, JPEG, WebP or GIF image, at most 10 MB decoded */
            image_base64: string;
        };
        /** @description Omitted fields keep their values */
        NewDeliverableVersion: {
            title?: string;
            /** @description An https URL */
            embed_url?: string;
            /** @description Raw base64 or a data: URL of a PNG, JPEG, WebP or GIF image, at most 10 MB decoded */
            image_base64?: string;
            note?: string;
        };
        NewSend: {
            /** @description A personal note, which the e-mail shows as plain text */
            message?: string;
            /**
             * @description Days until the client is reminded; 0 for never. Default: the workspace's setting
             * @example 7
             */
            remind_after_days?: number;
        };
        LegacyNewDeliverable: {
            title: string;
            /**
             * Format: uuid
             * @example 2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11
             */
            client_id: string;
            /** @description An https URL */
            embed_url: string | null;
            /** @description Raw base64 or a data: URL of a PNG, JPEG, WebP or GIF image, at most 10 MB decoded */
            image_base64?: string | null;
        } | {
            title: string;
            /**
             * Format: uuid
             * @example 2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11
             */
            client_id: string;
            /** @description An https URL */
            embed_url?: string | null;
            /** @description Raw base64 or a data: URL of a PNG, JPEG, WebP or GIF image, at most 10 MB decoded */
            image_base64: string | null;
        };
        NewScopeRequestEvidence: {
            /**
             * Format: uuid
             * @example 2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11
             */
            client_id: string;
            /**
             * Format: uuid
             * @description A project of the same client
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            project_id?: string;
            /**
             * Format: uuid
             * @description A deliverable of the same client
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            deliverable_id?: string;
            content: string;
            /**
             * @description Default: "client"
             * @enum {string}
             */
            author_kind?: "client" | "member" | "system" | "unknown";
            author_name?: string;
            author_address?: string;
            /** @description Must be unique in the workspace. Default: the Idempotency-Key */
            external_id?: string;
            /** @description At most 16 KB as JSON, nested at most 32 levels deep. Default: {} */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description The point on the image that a comment is about */
        Anchor: {
            /** @description The position as a fraction (0 to 1) of the image's width */
            x: number;
            /** @description The position as a fraction (0 to 1) of the image's height */
            y: number;
        };
        Error: {
            /** @description A human-readable message. Branch on `code`, not on this text */
            error: string;
            code?: ("upgrade_required" | "address_not_allowed" | "insufficient_scope" | "feature_disabled" | "not_found" | "api_actor_unavailable" | "idempotency_key_reused" | "idempotency_key_in_progress" | "deliverable_signed_off" | "payload_too_large" | "revision_over_budget" | "sample_data_never_emailed" | "client_email_missing" | "rate_limit_exceeded" | "storage_unavailable" | "email_send_failed" | "storage_full" | "organization_is_moving") | string;
            /** @description The capability that the plan lacks */
            capability?: "api_access" | string;
            /** @description The resource that the plan limits */
            resource?: ("deliverables" | "storage" | "records" | "versions" | "mails") | string;
            /** @description The scope that the token lacks */
            required_scope?: ("client:read" | "project:read" | "time:read" | "invoice:read" | "deliverable:read" | "time:write" | "invoice:write" | "project:write" | "client:write" | "deliverable:write" | "request:write" | "deliverable:send" | "invoice:issue") | string;
            /** @description The number of seconds to wait, plus jitter, before you retry */
            retry_after_seconds?: number;
        };
        Problem: {
            /** @description A human-readable message. Branch on `code`, not on this text */
            error: string;
            code?: ("upgrade_required" | "address_not_allowed" | "insufficient_scope" | "feature_disabled" | "not_found" | "api_actor_unavailable" | "idempotency_key_reused" | "idempotency_key_in_progress" | "deliverable_signed_off" | "payload_too_large" | "revision_over_budget" | "sample_data_never_emailed" | "client_email_missing" | "rate_limit_exceeded" | "storage_unavailable" | "email_send_failed" | "storage_full" | "organization_is_moving") | string;
            /** @description The capability that the plan lacks */
            capability?: "api_access" | string;
            /** @description The resource that the plan limits */
            resource?: ("deliverables" | "storage" | "records" | "versions" | "mails") | string;
            /** @description The scope that the token lacks */
            required_scope?: ("client:read" | "project:read" | "time:read" | "invoice:read" | "deliverable:read" | "time:write" | "invoice:write" | "project:write" | "client:write" | "deliverable:write" | "request:write" | "deliverable:send" | "invoice:issue") | string;
            /** @description The number of seconds to wait, plus jitter, before you retry */
            retry_after_seconds?: number;
            /**
             * Format: uri
             * @description The documentation page that explains this error
             */
            type: string;
            /** @description A summary of this type of error */
            title: string;
            status: number;
            /** @description Same as `error` */
            detail: string;
            /**
             * @description The request's id
             * @example urn:uuid:7f6c1c1e-3d52-4f4b-9a3b-0f3f5a2f9c1d
             */
            instance: string;
            /** @description Present only on a 400: every problem with the request, up to 100 */
            errors?: components["schemas"]["FieldProblem"][];
        };
        FieldProblem: {
            /**
             * @description The field's path
             * @example line_items.0.quantity
             */
            field: string;
            /** @description What is wrong, starting with the field's name */
            message: string;
            /** @description The field name that you probably meant */
            suggestion?: string;
        };
        TimeEntryPage: {
            data: components["schemas"]["TimeEntry"][];
            next_cursor: string | null;
        };
        TimeEntry: {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            project_id: string;
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            client_id: string;
            /**
             * Format: uuid
             * @description The admin who created the token
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            user_id: string;
            description: string | null;
            /**
             * Format: date
             * @example 2026-01-31
             */
            spent_date: string;
            hours: number;
            started_at: string | null;
            ended_at: string | null;
            billable: boolean;
            hourly_rate: number | null;
            /**
             * @description An ISO 4217 code
             * @example USD
             */
            currency: string;
            invoice_id: string | null;
            /** @description The Idempotency-Key of the request that created the entry */
            client_ref: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
        };
        InvoicePage: {
            data: components["schemas"]["Invoice"][];
            next_cursor: string | null;
        };
        Invoice: {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            /** @description Assigned when the invoice is issued; null for a draft */
            number: string | null;
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            client_id: string;
            project_id: string | null;
            status: ("draft" | "open" | "partially_paid" | "overdue" | "paid" | "void") | string;
            /**
             * @description An ISO 4217 code
             * @example USD
             */
            currency: string;
            issue_date: string | null;
            due_date: string | null;
            /**
             * @description A decimal amount, with as many decimal places as the currency has
             * @example 1250.5
             */
            subtotal: number;
            /**
             * @description A decimal amount, with as many decimal places as the currency has
             * @example 1250.5
             */
            tax_total: number;
            /**
             * @description A decimal amount, with as many decimal places as the currency has
             * @example 1250.5
             */
            total: number;
            /**
             * @description A decimal amount, with as many decimal places as the currency has
             * @example 1250.5
             */
            amount_paid: number;
            /**
             * @description A decimal amount, with as many decimal places as the currency has
             * @example 1250.5
             */
            amount_due: number;
            notes: string | null;
            external_id: string | null;
            line_items: components["schemas"]["LineItem"][];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
        };
        LineItem: {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            position: number;
            description: string;
            quantity: number;
            /**
             * @description A decimal amount, with as many decimal places as the currency has
             * @example 1250.5
             */
            unit_price: number;
            /** @description In percent */
            tax_rate: number;
            /**
             * @description `quantity` x `unit_price`, rounded half away from zero
             * @example 1250.5
             */
            amount: number;
            time_entry_id: string | null;
        };
        ProjectPage: {
            data: components["schemas"]["Project"][];
            next_cursor: string | null;
        };
        Project: {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            client_id: string;
            name: string;
            description: string | null;
            status: ("active" | "completed" | "archived") | string;
            /**
             * @description An ISO 4217 code
             * @example USD
             */
            currency: string;
            /** @description null if the number of rounds is unlimited */
            included_revision_rounds: number | null;
            revision_rounds_used: number;
            start_date: string | null;
            end_date: string | null;
            external_id: string | null;
            milestones: components["schemas"]["Milestone"][];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
        };
        Milestone: {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            name: string;
            position: number;
            status: ("pending" | "in_progress" | "completed") | string;
            due_date: string | null;
            amount: number | null;
        };
        ClientPage: {
            data: components["schemas"]["Client"][];
            next_cursor: string | null;
        };
        Client: {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            /** @description `company_name`, or `client_name` if `company_name` is empty */
            name: string;
            company_name: string | null;
            client_name: string | null;
            email: string | null;
            status: ("active" | "archived") | string;
            /** @description Whether this is onboarding sample data, which is never e-mailed and fires no events */
            is_sample: boolean;
            external_id: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
        };
        DeliverablePage: {
            data: components["schemas"]["Deliverable"][];
            next_cursor: string | null;
        };
        Deliverable: {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            /** @description The URL where the client reviews the deliverable */
            share_url: string;
            title: string;
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            client_id: string;
            project_id: string | null;
            embed_url: string | null;
            /** @description The image's path in our private storage */
            asset_path: string | null;
            /** @description The state of the review, derived by the server. Branch on this field */
            review_state: ("draft" | "in_review" | "changes_requested" | "approved") | string;
            /** @description The stored state, which `review_state` is derived from */
            current_state: ("open" | "signed_off") | string;
            /** @description For display only, because workspaces can rename their labels */
            status_label: string | null;
            /** @description The newest version's number */
            version_number: number;
            /** @description Whether this is onboarding sample data, which is never e-mailed and fires no events */
            is_sample: boolean;
            sent_at: string | null;
            /** @description When the client will be reminded; null if no reminder is pending */
            reminder_due_at: string | null;
            /** @description Why the latest review e-mail or its reminder failed; null if no failure is known */
            delivery_problem: components["schemas"]["DeliveryProblem"] | null;
            signed_off_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
        };
        DeliveryProblem: {
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /** @description `complained` means that the e-mail was delivered, but the recipient marked it as spam */
            kind: ("bounced" | "rejected" | "failed" | "complained") | string;
            /** @description The reason that the mail service or the recipient's server gave, without e-mail addresses and cut to 500 characters */
            reason: string | null;
        };
        DeliverableVersionPage: {
            data: components["schemas"]["DeliverableVersion"][];
            next_cursor: string | null;
        };
        /** @description An immutable snapshot of the deliverable, which contains the previous version's hash */
        DeliverableVersion: {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            deliverable_id: string;
            version_number: number;
            title: string;
            embed_url: string | null;
            asset_path: string | null;
            /** @description The image's type, detected from its bytes */
            asset_content_type: string | null;
            asset_sha256: string | null;
            note: string | null;
            /** @description The previous version's hash; null for version 1 */
            previous_hash: string | null;
            /**
             * @description The SHA-256 of all other fields except `id`, as canonical JSON (RFC 8785), in lowercase hexadecimal
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * Format: uuid
             * @description The admin who created the token
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            created_by: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        SendResult: {
            /** @constant */
            ok: true;
            /** @description If this is not null, the e-mail was sent, but the deliverable's status could not be updated. Do not send the e-mail again */
            status_warning: string | null;
            /**
             * Format: uuid
             * @description The deliverable's id
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            /** @description The number of the version that was sent */
            version_number: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            sent_at: string;
            /**
             * @description When the client will be reminded if they have not responded; null if no reminder is pending
             * @default null
             */
            reminder_due_at: string | null;
        };
        DryRunSend: {
            /** @constant */
            ok: true;
            /** @description If this is not null, the e-mail was sent, but the deliverable's status could not be updated. Do not send the e-mail again */
            status_warning: string | null;
            /**
             * Format: uuid
             * @description The deliverable's id
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            /** @description The number of the version that was sent */
            version_number: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            sent_at: string;
            /**
             * @description When the client will be reminded if they have not responded; null if no reminder is pending
             * @default null
             */
            reminder_due_at: string | null;
            /** @description The e-mail that the real request would send; absent if it would be a replay, which sends no e-mail */
            mail?: {
                /** @description The client's e-mail address, masked */
                to: string;
                subject: string;
                /** @description The e-mail's text, with a placeholder instead of the personal link */
                text: string;
            };
        };
        EventPage: {
            data: components["schemas"]["Event"][];
            next_cursor: string | null;
            /**
             * @description The cursor for the next request; never null
             * @example M2lSVnRZd2RqNlhCZ1Q1bkhvYzl1QQ.9k0Hl3cQ2b7mVtq1Jp5sYw8xZr4uDf6gAeBnCoKiLhM
             */
            latest_cursor: string;
        };
        Event: {
            /**
             * Format: uuid
             * @description The event's id, which its deliveries have as `webhook-event-id`
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            event: ("feedback.created" | "signoff.recorded" | "deliverable.sent" | "deliverable.reminded" | "deliverable.send_failed" | "change_order.sent" | "change_order.signed" | "change_order.declined" | "change_decision.sent" | "invoice.sent" | "invoice.paid" | "invoice.overdue" | "invoice.refunded" | "invoice.disputed" | "deposit.cleared") | string;
            category: ("delivery" | "scope" | "change" | "money") | string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: uuid
             * @description The id of the record that the event is about
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            subject_id: string;
            /** @description The same data as in a webhook delivery */
            data: {
                [key: string]: unknown;
            };
        };
        Token: {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            name: string;
            /** @description The token's first 14 characters, which are safe to show */
            token_prefix: string;
            scopes: string[];
            organization: {
                /**
                 * Format: uuid
                 * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                 */
                id: string;
                slug: string;
                name: string;
                plan: string;
                /**
                 * @description An ISO 4217 code
                 * @example USD
                 */
                currency: string;
                features: string[];
            };
            /** @description The workspace's limit, which all its tokens share */
            requests_per_minute: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description When the token expires; null if it does not expire */
            expires_at: string | null;
            /** @description The IP addresses and CIDR ranges that the token can be used from; null if it can be used from anywhere */
            allowed_ips: string[] | null;
            /** @description When the token was last used before this request, to the minute; null if this is its first request */
            last_used_at: string | null;
        };
        ApiRequestPage: {
            data: components["schemas"]["ApiRequest"][];
            next_cursor: string | null;
        };
        ApiRequest: {
            /**
             * Format: uuid
             * @description The `X-Request-Id` of the response
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            request_id: string;
            /**
             * Format: date-time
             * @description When the request arrived
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            token: {
                /**
                 * Format: uuid
                 * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                 */
                id: string;
                name: string;
                /** @description The token's first 14 characters, which are safe to show */
                token_prefix: string;
            };
            method: string;
            /** @description The path template, such as /api-v1/clients/{id} */
            route: string;
            status: number;
            /** @description The error's code; null if it has no code */
            code: string | null;
            /** @description The error message, without unknown field names and cut to 300 characters; null if the request succeeded */
            error: string | null;
            duration_ms: number;
            /** @description Whether the response replayed an earlier request with the same key */
            replay: boolean;
            /** @description The id of the record in the path, or of the record that the request created */
            subject_id: string | null;
            /** @description Present only with status 429: how many of the token's requests to this route returned 429 in the same minute. The other fields describe the first of these requests */
            count?: number;
        };
        FeedbackPage: {
            data: components["schemas"]["Feedback"][];
            next_cursor: string | null;
        };
        /** @description A comment, change request or reply in a review. Feedback never changes, except that `author_name` and `body` are replaced when the client is erased. */
        Feedback: {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            deliverable_id: string;
            /** @description The number of the version that the feedback is about */
            version_number: number;
            /**
             * @description A client's comment or change request, or the workspace's `reply`, which does not change the state
             * @enum {string}
             */
            kind: "comment" | "change_request" | "reply";
            body: string;
            author_name: string;
            /**
             * @description How the author was identified: by a link or code that was e-mailed to the client, by the review link only (the name is then not verified), or by the admin who recorded the feedback
             * @enum {string}
             */
            attribution: "mailed_link" | "mailed_code" | "recorded_by_admin" | "link_only";
            anchor: components["schemas"]["Anchor"] | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        /** @description A client's sign-off of one version, with its proof */
        SignOff: {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            deliverable_id: string;
            version_number: number;
            /** @description The signed-off version's hash */
            version_hash: string;
            signer_name: string;
            /**
             * @description How the signer was identified: by a link or code that was e-mailed to the client, or not at all if an admin recorded the sign-off
             * @enum {string}
             */
            attribution: "mailed_link" | "mailed_code" | "recorded_by_admin";
            /** @description The statement that the signer agreed to; null if an admin recorded the sign-off */
            consent: string | null;
            consent_version: number | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            signed_off_at: string;
            /** @description A compact JWS (EdDSA) that contains these fields, the workspace's name, the title and the version chain. Verify it offline with the keys at /.well-known/jwks.json */
            proof: string;
        };
        CreatedDeliverable: {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            /** @description The URL where the client reviews the deliverable */
            share_url: string;
        };
        ScopeRequestEvidence: {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            client_id: string;
            project_id: string | null;
            deliverable_id: string | null;
            content: string;
            /** @enum {string} */
            author_kind: "client" | "member" | "system" | "unknown";
            author_name: string | null;
            author_address: string | null;
            external_id: string;
            /** @description The metadata that you sent, plus the `api_token_id` that the server adds */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
        DryRunScopeRequestEvidence: {
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            id: string;
            /**
             * Format: uuid
             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
             */
            client_id: string;
            project_id: string | null;
            deliverable_id: string | null;
            content: string;
            /** @enum {string} */
            author_kind: "client" | "member" | "system" | "unknown";
            author_name: string | null;
            author_address: string | null;
            /** @description null if the request had neither an `external_id` nor an Idempotency-Key */
            external_id: string | null;
            /** @description The metadata that you sent, plus the `api_token_id` that the server adds */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
        };
    };
    responses: {
        /** @description A parameter or a field is invalid */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Should-Retry": components["headers"]["XShouldRetry"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description - The `apikey` header is missing or wrong
         *     - The token is missing, malformed, unknown, revoked or expired
         */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Should-Retry": components["headers"]["XShouldRetry"];
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The workspace does not have this record */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Should-Retry": components["headers"]["XShouldRetry"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The path does not support this method. `Allow` lists the methods that it supports */
        MethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Should-Retry": components["headers"]["XShouldRetry"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description - `api_actor_unavailable`: The admin who created the token is no longer an admin
         *     - `idempotency_key_reused`: The key was used for a different request
         *     - `idempotency_key_in_progress`: The first request with this key is still in progress. Retry after `Retry-After` seconds
         */
        WriteConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Should-Retry": components["headers"]["XShouldRetry"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The inline image is larger than 10 MB decoded, or the body is larger than any valid request */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Should-Retry": components["headers"]["XShouldRetry"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request has a `Content-Encoding`, but compressed bodies are not supported */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Should-Retry": components["headers"]["XShouldRetry"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The workspace has reached its limit of requests per minute. Wait `retry_after_seconds` */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Should-Retry": components["headers"]["XShouldRetry"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description An unexpected error; contact us with the `X-Request-Id` */
        Unexpected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Should-Retry": components["headers"]["XShouldRetry"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description - The database is overloaded, unreachable or not accepting writes. Retry after `Retry-After` seconds with the same key. If the first attempt took effect, you get its response
         *     - `storage_full`: The database is full, so nothing was changed. Reads still work. Retry after `Retry-After` seconds with the same key
         *     - `organization_is_moving`: The workspace is being moved or imported. Retry after `Retry-After` seconds with the same key
         *     - The service is closed for maintenance. Retry after `Retry-After` seconds with the same key
         */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Should-Retry": components["headers"]["XShouldRetry"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description - The database is overloaded, unreachable or not accepting writes. Retry after `Retry-After` seconds with the same key. If the first attempt took effect, you get its response
         *     - `storage_full`: The database is full, so nothing was changed. Reads still work. Retry after `Retry-After` seconds with the same key
         *     - `organization_is_moving`: The workspace is being moved or imported. Retry after `Retry-After` seconds with the same key
         *     - The service is closed for maintenance. Retry after `Retry-After` seconds with the same key
         *     - The service is read-only for maintenance. Retry after `Retry-After` seconds with the same key
         */
        UnavailableForWrites: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Should-Retry": components["headers"]["XShouldRetry"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description Identifies this write, for example with a new UUID. If you retry with the same key and body, the write is performed only once. Non-ASCII characters must be encoded as UTF-8; other bytes return 400. Optional for dry runs.
         * @example 0f2c6b1e-9f0a-4c55-8f57-3c1f8b5f2d10
         */
        IdempotencyKey: string;
        /**
         * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
         * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
         */
        webhookid: string;
        /**
         * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
         * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
         */
        webhookeventid: string;
        /**
         * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
         * @example 1769851800
         */
        webhooktimestamp: number;
        /**
         * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        webhooksignature: string;
        /**
         * @description Same as `webhook-id`
         * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
         */
        XSvcDeliveryId: string;
        /**
         * @description The event's name
         * @example invoice.paid
         */
        XSvcEvent: string;
        /**
         * @description The number of this attempt, from 1 to 8
         * @example 1
         */
        XSvcAttempt: number;
        /**
         * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
         * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
         */
        XSvcSignature: string;
        /**
         * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
         * @example true
         */
        XSvcTest: "true";
    };
    requestBodies: never;
    headers: {
        /**
         * @description The request's id. Include it when you contact us about the request
         * @example 8f14e45f-ceea-467f-a8d2-0d4a3a4a1c11
         */
        XRequestId: string;
        /**
         * @description Responses must not be cached
         * @example private, no-store
         */
        CacheControl: string;
        /**
         * @description The number of requests that your workspace can make per minute
         * @example 60
         */
        RateLimitLimit: number;
        /**
         * @description The rate limit and the length of its window in seconds
         * @example 60;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description Seconds until the current window ends
         * @example 42
         */
        RateLimitReset: number;
        /**
         * @description Seconds to wait before you retry
         * @example 42
         */
        RetryAfter: number;
        /**
         * @description Whether the same request may succeed later
         * @example false
         */
        XShouldRetry: boolean;
        /**
         * @description The authentication scheme to use (RFC 9110)
         * @example Bearer
         */
        WWWAuthenticate: string;
        /**
         * @description The image's SHA-256, in quotes
         * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         */
        ETag: string;
        /**
         * @description `Range` requests are supported
         * @example bytes
         */
        AcceptRanges: string;
        /**
         * @description The byte range and the image's total size
         * @example bytes 0-1023/48211
         */
        ContentRange: string;
        /**
         * @description The methods that the path supports
         * @example GET, POST
         */
        Allow: string;
        /**
         * @description When the route was deprecated (RFC 9745); present only once a removal date is set
         * @example @1767225600
         */
        Deprecation: string;
        /**
         * @description When the route will be removed (RFC 8594); present only once a removal date is set
         * @example Tue, 30 Jun 2026 00:00:00 GMT
         */
        Sunset: string;
    };
    pathItems: never;
}
export type NewTimeEntry = components['schemas']['NewTimeEntry'];
export type NewInvoice = components['schemas']['NewInvoice'];
export type NewProject = components['schemas']['NewProject'];
export type NewClient = components['schemas']['NewClient'];
export type NewDeliverable = components['schemas']['NewDeliverable'];
export type NewDeliverableVersion = components['schemas']['NewDeliverableVersion'];
export type NewSend = components['schemas']['NewSend'];
export type LegacyNewDeliverable = components['schemas']['LegacyNewDeliverable'];
export type NewScopeRequestEvidence = components['schemas']['NewScopeRequestEvidence'];
export type Anchor = components['schemas']['Anchor'];
export type Error = components['schemas']['Error'];
export type Problem = components['schemas']['Problem'];
export type FieldProblem = components['schemas']['FieldProblem'];
export type TimeEntryPage = components['schemas']['TimeEntryPage'];
export type TimeEntry = components['schemas']['TimeEntry'];
export type InvoicePage = components['schemas']['InvoicePage'];
export type Invoice = components['schemas']['Invoice'];
export type LineItem = components['schemas']['LineItem'];
export type ProjectPage = components['schemas']['ProjectPage'];
export type Project = components['schemas']['Project'];
export type Milestone = components['schemas']['Milestone'];
export type ClientPage = components['schemas']['ClientPage'];
export type Client = components['schemas']['Client'];
export type DeliverablePage = components['schemas']['DeliverablePage'];
export type Deliverable = components['schemas']['Deliverable'];
export type DeliveryProblem = components['schemas']['DeliveryProblem'];
export type DeliverableVersionPage = components['schemas']['DeliverableVersionPage'];
export type DeliverableVersion = components['schemas']['DeliverableVersion'];
export type SendResult = components['schemas']['SendResult'];
export type DryRunSend = components['schemas']['DryRunSend'];
export type EventPage = components['schemas']['EventPage'];
export type Event = components['schemas']['Event'];
export type Token = components['schemas']['Token'];
export type ApiRequestPage = components['schemas']['ApiRequestPage'];
export type ApiRequest = components['schemas']['ApiRequest'];
export type FeedbackPage = components['schemas']['FeedbackPage'];
export type Feedback = components['schemas']['Feedback'];
export type SignOff = components['schemas']['SignOff'];
export type CreatedDeliverable = components['schemas']['CreatedDeliverable'];
export type ScopeRequestEvidence = components['schemas']['ScopeRequestEvidence'];
export type DryRunScopeRequestEvidence = components['schemas']['DryRunScopeRequestEvidence'];
export type ResponseValidationFailed = components['responses']['ValidationFailed'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseMethodNotAllowed = components['responses']['MethodNotAllowed'];
export type ResponseWriteConflict = components['responses']['WriteConflict'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseRateLimited = components['responses']['RateLimited'];
export type ResponseUnexpected = components['responses']['Unexpected'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseUnavailableForWrites = components['responses']['UnavailableForWrites'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterWebhookid = components['parameters']['webhookid'];
export type ParameterWebhookeventid = components['parameters']['webhookeventid'];
export type ParameterWebhooktimestamp = components['parameters']['webhooktimestamp'];
export type ParameterWebhooksignature = components['parameters']['webhooksignature'];
export type ParameterXSvcDeliveryId = components['parameters']['XSvcDeliveryId'];
export type ParameterXSvcEvent = components['parameters']['XSvcEvent'];
export type ParameterXSvcAttempt = components['parameters']['XSvcAttempt'];
export type ParameterXSvcSignature = components['parameters']['XSvcSignature'];
export type ParameterXSvcTest = components['parameters']['XSvcTest'];
export type HeaderXRequestId = components['headers']['XRequestId'];
export type HeaderCacheControl = components['headers']['CacheControl'];
export type HeaderRateLimitLimit = components['headers']['RateLimitLimit'];
export type HeaderRateLimitPolicy = components['headers']['RateLimitPolicy'];
export type HeaderRateLimitReset = components['headers']['RateLimitReset'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type HeaderXShouldRetry = components['headers']['XShouldRetry'];
export type HeaderWwwAuthenticate = components['headers']['WWWAuthenticate'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderAcceptRanges = components['headers']['AcceptRanges'];
export type HeaderContentRange = components['headers']['ContentRange'];
export type HeaderAllow = components['headers']['Allow'];
export type HeaderDeprecation = components['headers']['Deprecation'];
export type HeaderSunset = components['headers']['Sunset'];
export type $defs = Record<string, never>;
export interface operations {
    listTimeEntries: {
        parameters: {
            query?: {
                /**
                 * @description Records per page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The previous page's `next_cursor`. Repeat the same filters, and do not parse the cursor
                 * @example MjAyNi0wMS0zMVQwOTozMDowMC4wMDBafDI.9k0Hl3cQ2b7mVtq1Jp5sYw8xZr4uDf6gAeBnCoKiLhM
                 */
                cursor?: string;
                /**
                 * @description Only records that changed at or after this time (ISO 8601)
                 * @example 2026-01-31T09:30:00Z
                 */
                updated_since?: string;
                /**
                 * @description Only records for this project
                 * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                 */
                project_id?: string;
                /**
                 * @description Only records for this client
                 * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                 */
                client_id?: string;
                /**
                 * @description Only records for this member
                 * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                 */
                user_id?: string;
                /**
                 * @description Whether the entry is on an invoice
                 * @example false
                 */
                invoiced?: "true" | "false";
                /**
                 * @description Only work on or after this day (`spent_date`)
                 * @example 2026-01-01
                 */
                from?: string;
                /**
                 * @description Only work on or before this day (`spent_date`)
                 * @example 2026-01-31
                 */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimeEntryPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTimeEntry: {
        parameters: {
            query?: {
                /**
                 * @description `true` validates the request without saving anything. An Idempotency-Key is then optional. See the 200 response
                 * @example true
                 */
                dry_run?: "true" | "false";
            };
            header: {
                /**
                 * @description Identifies this write, for example with a new UUID. If you retry with the same key and body, the write is performed only once. Non-ASCII characters must be encoded as UTF-8; other bytes return 400. Optional for dry runs.
                 * @example 0f2c6b1e-9f0a-4c55-8f57-3c1f8b5f2d10
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 3 MB */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTimeEntry"];
            };
        };
        responses: {
            /** @description A replay of the first response, or a dry run */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": (components["schemas"]["TimeEntry"] & {
                        /**
                         * @description Present only on a replay: an earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay: true;
                    }) | (components["schemas"]["TimeEntry"] & {
                        /**
                         * @description Present only on a dry run: nothing was saved
                         * @constant
                         */
                        dry_run: true;
                        /**
                         * @description The status that the real request would return; for a create, 200 means a replay
                         * @enum {number}
                         */
                        would_be: 200 | 201;
                        /**
                         * @description An earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay?: true;
                    });
                };
            };
            /** @description The time entry */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimeEntry"] & {
                        /**
                         * @description Present only on a replay
                         * @constant
                         */
                        idempotent_replay?: true;
                    };
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["WriteConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The plan's record limit is reached */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["UnavailableForWrites"];
        };
    };
    getTimeEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 5a3c8f0e-93f0-4a57-8b3c-2f0b7c1d9e55 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimeEntry"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /**
                 * @description Records per page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The previous page's `next_cursor`. Repeat the same filters, and do not parse the cursor
                 * @example MjAyNi0wMS0zMVQwOTozMDowMC4wMDBafDI.9k0Hl3cQ2b7mVtq1Jp5sYw8xZr4uDf6gAeBnCoKiLhM
                 */
                cursor?: string;
                /**
                 * @description Only records that changed at or after this time (ISO 8601)
                 * @example 2026-01-31T09:30:00Z
                 */
                updated_since?: string;
                /**
                 * @description Only records for this client
                 * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                 */
                client_id?: string;
                /**
                 * @description Only records for this project
                 * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                 */
                project_id?: string;
                /**
                 * @description Only records with this status
                 * @example draft
                 */
                status?: "draft" | "open" | "partially_paid" | "overdue" | "paid" | "void";
                /**
                 * @description The `external_id` that you set when you created the record
                 * @example crm-4711
                 */
                external_id?: string;
                /**
                 * @description The invoice's number
                 * @example INV-0042
                 */
                number?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicePage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createInvoice: {
        parameters: {
            query?: {
                /**
                 * @description `true` validates the request without saving anything. An Idempotency-Key is then optional. See the 200 response
                 * @example true
                 */
                dry_run?: "true" | "false";
            };
            header: {
                /**
                 * @description Identifies this write, for example with a new UUID. If you retry with the same key and body, the write is performed only once. Non-ASCII characters must be encoded as UTF-8; other bytes return 400. Optional for dry runs.
                 * @example 0f2c6b1e-9f0a-4c55-8f57-3c1f8b5f2d10
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 3 MB */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvoice"];
            };
        };
        responses: {
            /** @description A replay of the first response, or a dry run */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": (components["schemas"]["Invoice"] & {
                        /**
                         * @description Present only on a replay: an earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay: true;
                    }) | (components["schemas"]["Invoice"] & {
                        /**
                         * @description Present only on a dry run: nothing was saved
                         * @constant
                         */
                        dry_run: true;
                        /**
                         * @description The status that the real request would return; for a create, 200 means a replay
                         * @enum {number}
                         */
                        would_be: 200 | 201;
                        /**
                         * @description An earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay?: true;
                    });
                };
            };
            /** @description The draft */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"] & {
                        /**
                         * @description Present only on a replay
                         * @constant
                         */
                        idempotent_replay?: true;
                    };
                };
            };
            /**
             * @description - A parameter or a field is invalid
             *     - Another request billed one of the time entries at the same time
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["WriteConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The plan's record limit is reached */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["UnavailableForWrites"];
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9e2d4c1b-8a7f-4e6d-b5c4-a3b2c1d0e9f8 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /**
                 * @description Records per page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The previous page's `next_cursor`. Repeat the same filters, and do not parse the cursor
                 * @example MjAyNi0wMS0zMVQwOTozMDowMC4wMDBafDI.9k0Hl3cQ2b7mVtq1Jp5sYw8xZr4uDf6gAeBnCoKiLhM
                 */
                cursor?: string;
                /**
                 * @description Only records that changed at or after this time (ISO 8601)
                 * @example 2026-01-31T09:30:00Z
                 */
                updated_since?: string;
                /**
                 * @description Only records for this client
                 * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                 */
                client_id?: string;
                /**
                 * @description Only records with this status
                 * @example active
                 */
                status?: "active" | "completed" | "archived";
                /**
                 * @description The `external_id` that you set when you created the record
                 * @example crm-4711
                 */
                external_id?: string;
                /**
                 * @description Whether the project's client is onboarding sample data
                 * @example false
                 */
                is_sample?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createProject: {
        parameters: {
            query?: {
                /**
                 * @description `true` validates the request without saving anything. An Idempotency-Key is then optional. See the 200 response
                 * @example true
                 */
                dry_run?: "true" | "false";
            };
            header: {
                /**
                 * @description Identifies this write, for example with a new UUID. If you retry with the same key and body, the write is performed only once. Non-ASCII characters must be encoded as UTF-8; other bytes return 400. Optional for dry runs.
                 * @example 0f2c6b1e-9f0a-4c55-8f57-3c1f8b5f2d10
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 3 MB */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewProject"];
            };
        };
        responses: {
            /** @description A replay of the first response, or a dry run */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": (components["schemas"]["Project"] & {
                        /**
                         * @description Present only on a replay: an earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay: true;
                    }) | (components["schemas"]["Project"] & {
                        /**
                         * @description Present only on a dry run: nothing was saved
                         * @constant
                         */
                        dry_run: true;
                        /**
                         * @description The status that the real request would return; for a create, 200 means a replay
                         * @enum {number}
                         */
                        would_be: 200 | 201;
                        /**
                         * @description An earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay?: true;
                    });
                };
            };
            /** @description The project */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"] & {
                        /**
                         * @description Present only on a replay
                         * @constant
                         */
                        idempotent_replay?: true;
                    };
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["WriteConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The plan's record limit is reached */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["UnavailableForWrites"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 7d0e5b1e-2f6c-4d63-8c0e-1b9a5d0c3f42 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listClients: {
        parameters: {
            query?: {
                /**
                 * @description Records per page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The previous page's `next_cursor`. Repeat the same filters, and do not parse the cursor
                 * @example MjAyNi0wMS0zMVQwOTozMDowMC4wMDBafDI.9k0Hl3cQ2b7mVtq1Jp5sYw8xZr4uDf6gAeBnCoKiLhM
                 */
                cursor?: string;
                /**
                 * @description Only records that changed at or after this time (ISO 8601)
                 * @example 2026-01-31T09:30:00Z
                 */
                updated_since?: string;
                /**
                 * @description Only records with this status
                 * @example active
                 */
                status?: "active" | "archived";
                /**
                 * @description The `external_id` that you set when you created the record
                 * @example crm-4711
                 */
                external_id?: string;
                /**
                 * @description The exact e-mail address
                 * @example mara@northwind.example
                 */
                email?: string;
                /**
                 * @description Whether the client is onboarding sample data
                 * @example false
                 */
                is_sample?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createClient: {
        parameters: {
            query?: {
                /**
                 * @description `true` validates the request without saving anything. An Idempotency-Key is then optional. See the 200 response
                 * @example true
                 */
                dry_run?: "true" | "false";
            };
            header: {
                /**
                 * @description Identifies this write, for example with a new UUID. If you retry with the same key and body, the write is performed only once. Non-ASCII characters must be encoded as UTF-8; other bytes return 400. Optional for dry runs.
                 * @example 0f2c6b1e-9f0a-4c55-8f57-3c1f8b5f2d10
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 3 MB */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewClient"];
            };
        };
        responses: {
            /** @description A replay of the first response, or a dry run */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": (components["schemas"]["Client"] & {
                        /**
                         * @description Present only on a replay: an earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay: true;
                    }) | (components["schemas"]["Client"] & {
                        /**
                         * @description Present only on a dry run: nothing was saved
                         * @constant
                         */
                        dry_run: true;
                        /**
                         * @description The status that the real request would return; for a create, 200 means a replay
                         * @enum {number}
                         */
                        would_be: 200 | 201;
                        /**
                         * @description An earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay?: true;
                    });
                };
            };
            /** @description The client */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Client"] & {
                        /**
                         * @description Present only on a replay
                         * @constant
                         */
                        idempotent_replay?: true;
                    };
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["WriteConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The plan's record limit is reached */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["UnavailableForWrites"];
        };
    };
    getClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliverables: {
        parameters: {
            query?: {
                /**
                 * @description Records per page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The previous page's `next_cursor`. Repeat the same filters, and do not parse the cursor
                 * @example MjAyNi0wMS0zMVQwOTozMDowMC4wMDBafDI.9k0Hl3cQ2b7mVtq1Jp5sYw8xZr4uDf6gAeBnCoKiLhM
                 */
                cursor?: string;
                /**
                 * @description Only records that changed at or after this time (ISO 8601)
                 * @example 2026-01-31T09:30:00Z
                 */
                updated_since?: string;
                /**
                 * @description Only records for this client
                 * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                 */
                client_id?: string;
                /**
                 * @description Only records for this project
                 * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                 */
                project_id?: string;
                /**
                 * @description Only records with this status
                 * @example draft
                 */
                review_state?: "draft" | "in_review" | "changes_requested" | "approved";
                /**
                 * @description Whether the deliverable is onboarding sample data
                 * @example false
                 */
                is_sample?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliverablePage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDeliverable: {
        parameters: {
            query?: {
                /**
                 * @description `true` validates the request without saving anything. An Idempotency-Key is then optional. See the 200 response
                 * @example true
                 */
                dry_run?: "true" | "false";
            };
            header: {
                /**
                 * @description Identifies this write, for example with a new UUID. If you retry with the same key and body, the write is performed only once. Non-ASCII characters must be encoded as UTF-8; other bytes return 400. Optional for dry runs.
                 * @example 0f2c6b1e-9f0a-4c55-8f57-3c1f8b5f2d10
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 15 MB */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDeliverable"];
            };
        };
        responses: {
            /** @description A replay of the first response, or a dry run */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": (components["schemas"]["Deliverable"] & {
                        /**
                         * @description Present only on a replay: an earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay: true;
                    }) | (components["schemas"]["Deliverable"] & {
                        /**
                         * @description Present only on a dry run: nothing was saved
                         * @constant
                         */
                        dry_run: true;
                        /**
                         * @description The status that the real request would return; for a create, 200 means a replay
                         * @enum {number}
                         */
                        would_be: 200 | 201;
                        /**
                         * @description An earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay?: true;
                    });
                };
            };
            /** @description The deliverable; the client reviews it at `share_url` */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deliverable"] & {
                        /**
                         * @description Present only on a replay
                         * @constant
                         */
                        idempotent_replay?: true;
                    };
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["WriteConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description - `upgrade_required`: The plan's deliverable limit is reached
             *     - `upgrade_required`: The image does not fit in the plan's remaining image storage (`storage_mb`)
             *     - `upgrade_required`: The plan's record limit is reached
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            /** @description The image could not be read, or it could not be stored and nothing was created. Retry with the same key */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["UnavailableForWrites"];
        };
    };
    getDeliverable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 3c6e0b8a-9c15-4b7d-8f4e-5d2a1b0c9e87 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deliverable"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliverableVersions: {
        parameters: {
            query?: {
                /**
                 * @description Records per page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The previous page's `next_cursor`. Repeat the same filters, and do not parse the cursor
                 * @example MjAyNi0wMS0zMVQwOTozMDowMC4wMDBafDI.9k0Hl3cQ2b7mVtq1Jp5sYw8xZr4uDf6gAeBnCoKiLhM
                 */
                cursor?: string;
                /**
                 * @description Only records that were created at or after this time (ISO 8601)
                 * @example 2026-01-31T09:30:00Z
                 */
                updated_since?: string;
            };
            header?: never;
            path: {
                /** @example 3c6e0b8a-9c15-4b7d-8f4e-5d2a1b0c9e87 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliverableVersionPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDeliverableVersion: {
        parameters: {
            query?: {
                /**
                 * @description `true` validates the request without saving anything. An Idempotency-Key is then optional. See the 200 response
                 * @example true
                 */
                dry_run?: "true" | "false";
            };
            header: {
                /**
                 * @description Identifies this write, for example with a new UUID. If you retry with the same key and body, the write is performed only once. Non-ASCII characters must be encoded as UTF-8; other bytes return 400. Optional for dry runs.
                 * @example 0f2c6b1e-9f0a-4c55-8f57-3c1f8b5f2d10
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 3c6e0b8a-9c15-4b7d-8f4e-5d2a1b0c9e87 */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 15 MB */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewDeliverableVersion"];
            };
        };
        responses: {
            /** @description A replay of the first response, or a dry run */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": (components["schemas"]["DeliverableVersion"] & {
                        /**
                         * @description Present only on a replay: an earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay: true;
                    }) | (components["schemas"]["DeliverableVersion"] & {
                        /**
                         * @description Present only on a dry run: nothing was saved
                         * @constant
                         */
                        dry_run: true;
                        /**
                         * @description The status that the real request would return; for a create, 200 means a replay
                         * @enum {number}
                         */
                        would_be: 200 | 201;
                        /**
                         * @description An earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay?: true;
                    });
                };
            };
            /** @description The version */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliverableVersion"] & {
                        /**
                         * @description Present only on a replay
                         * @constant
                         */
                        idempotent_replay?: true;
                    };
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            /**
             * @description - `api_actor_unavailable`: The admin who created the token is no longer an admin
             *     - `idempotency_key_reused`: The key was used for a different request
             *     - `idempotency_key_in_progress`: The first request with this key is still in progress. Retry after `Retry-After` seconds
             *     - `deliverable_signed_off`: The deliverable is signed off
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description - `upgrade_required`: The image does not fit in the plan's remaining image storage (`storage_mb`)
             *     - `upgrade_required`: The plan's record limit is reached
             *     - `upgrade_required`: The deliverable has reached the maximum of 500 versions. Create another deliverable
             *     - `revision_over_budget`: The project's revision rounds are used up, and no admin has granted additional rounds
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            /** @description The image could not be read, or it could not be stored and nothing was created. Retry with the same key */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["UnavailableForWrites"];
        };
    };
    getDeliverableVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 3c6e0b8a-9c15-4b7d-8f4e-5d2a1b0c9e87 */
                id: string;
                /**
                 * @description The version's number
                 * @example 2
                 */
                n: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliverableVersion"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDeliverableVersionImage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the image that you already have
                 * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                 */
                "If-None-Match"?: string;
                /**
                 * @description A single byte range
                 * @example bytes=0-1023
                 */
                Range?: string;
            };
            path: {
                /** @example 3c6e0b8a-9c15-4b7d-8f4e-5d2a1b0c9e87 */
                id: string;
                /**
                 * @description The version's number
                 * @example 2
                 */
                n: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                    "image/jpeg": unknown;
                    "image/gif": unknown;
                    "image/webp": unknown;
                };
            };
            /** @description The requested range */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Content-Range": components["headers"]["ContentRange"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                    "image/jpeg": unknown;
                    "image/gif": unknown;
                    "image/webp": unknown;
                };
            };
            /** @description The image matches `If-None-Match` */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            /** @description The range is outside the image. `Content-Range` has the image's size */
            416: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Content-Range": components["headers"]["ContentRange"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            /** @description The image could not be read, or it could not be stored and nothing was created. Retry with the same key */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    sendDeliverable: {
        parameters: {
            query?: {
                /**
                 * @description `true` validates the request without saving anything. An Idempotency-Key is then optional. See the 200 response
                 * @example true
                 */
                dry_run?: "true" | "false";
            };
            header: {
                /**
                 * @description Identifies this write, for example with a new UUID. If you retry with the same key and body, the write is performed only once. Non-ASCII characters must be encoded as UTF-8; other bytes return 400. Optional for dry runs.
                 * @example 0f2c6b1e-9f0a-4c55-8f57-3c1f8b5f2d10
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 3c6e0b8a-9c15-4b7d-8f4e-5d2a1b0c9e87 */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 3 MB */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewSend"];
            };
        };
        responses: {
            /** @description The sent e-mail, a replay, or a dry run */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": (components["schemas"]["SendResult"] & {
                        /**
                         * @description Present only on a replay: an earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay?: true;
                    }) | (components["schemas"]["DryRunSend"] & {
                        /**
                         * @description Present only on a dry run: nothing was saved
                         * @constant
                         */
                        dry_run: true;
                        /**
                         * @description The status that the real request would return; for a create, 200 means a replay
                         * @constant
                         */
                        would_be: 200;
                        /**
                         * @description An earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay?: true;
                    });
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            /**
             * @description - `api_actor_unavailable`: The admin who created the token is no longer an admin
             *     - `idempotency_key_reused`: The key was used for a different request
             *     - `idempotency_key_in_progress`: The first request with this key is still in progress. Retry after `Retry-After` seconds
             *     - `deliverable_signed_off`: The deliverable is signed off
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description - `sample_data_never_emailed`: The deliverable or its client is sample data
             *     - `client_email_missing`: The client has no e-mail address
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description - `rate_limit_exceeded`: The workspace has reached its limit of requests per minute. Wait `retry_after_seconds`
             *     - `rate_limit_exceeded`: The client's address has reached its daily e-mail limit (UTC). Wait `retry_after_seconds`
             *     - `rate_limit_exceeded`: The workspace has reached its plan's daily e-mail limit (UTC). Wait `retry_after_seconds`
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["Unexpected"];
            /** @description The review e-mail could not be sent. Retry with the same key */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["UnavailableForWrites"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description Records per page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `latest_cursor` that you stored, or the previous page's `next_cursor`. Repeat the same filters, and do not parse the cursor
                 * @example M2lSVnRZd2RqNlhCZ1Q1bkhvYzl1QQ.9k0Hl3cQ2b7mVtq1Jp5sYw8xZr4uDf6gAeBnCoKiLhM
                 */
                cursor?: string;
                /**
                 * @description Only records that were created at or after this time (ISO 8601)
                 * @example 2026-01-31T09:30:00Z
                 */
                updated_since?: string;
                /**
                 * @description Event names and categories, separated by commas
                 * @example money,signoff.recorded
                 */
                types?: string;
                /**
                 * @description Only events about this record
                 * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                 */
                subject_id?: string;
                /**
                 * @description How many seconds to wait for an event if the page would be empty
                 * @example 25
                 */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token used for the request */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /**
                 * @description Records per page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The previous page's `next_cursor`. Repeat the same filters, and do not parse the cursor
                 * @example MjAyNi0wMS0zMVQwOTozMDowMC4wMDBafDI.9k0Hl3cQ2b7mVtq1Jp5sYw8xZr4uDf6gAeBnCoKiLhM
                 */
                cursor?: string;
                /** @example 4xx */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiRequestPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliverableFeedback: {
        parameters: {
            query?: {
                /**
                 * @description Records per page
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The previous page's `next_cursor`. Repeat the same filters, and do not parse the cursor
                 * @example MjAyNi0wMS0zMVQwOTozMDowMC4wMDBafDI.9k0Hl3cQ2b7mVtq1Jp5sYw8xZr4uDf6gAeBnCoKiLhM
                 */
                cursor?: string;
                /**
                 * @description Only records that were created at or after this time (ISO 8601)
                 * @example 2026-01-31T09:30:00Z
                 */
                updated_since?: string;
            };
            header?: never;
            path: {
                /** @example 3c6e0b8a-9c15-4b7d-8f4e-5d2a1b0c9e87 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDeliverableSignOff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 4f5c0a3e-5a30-4d3c-9f57-0f1c2b7f8a11 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sign-off */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignOff"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    legacyListClients: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clients */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        clients: {
                            /**
                             * Format: uuid
                             * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                             */
                            id: string;
                            name: string;
                        }[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    legacyCreateDeliverable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 15 MB */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LegacyNewDeliverable"];
            };
        };
        responses: {
            /** @description The deliverable's id and the URL where the client reviews it */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedDeliverable"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            /** @description The admin who created the token is no longer an admin */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description - `upgrade_required`: The plan's deliverable limit is reached
             *     - `upgrade_required`: The image does not fit in the plan's remaining image storage (`storage_mb`)
             *     - `upgrade_required`: The plan's record limit is reached
             *     - The database rejected the deliverable, so nothing was created
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            /** @description The image could not be read, or it could not be stored and nothing was created. Retry with the same key */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["UnavailableForWrites"];
        };
    };
    ingestRequest: {
        parameters: {
            query?: {
                /**
                 * @description `true` validates the request without saving anything. An Idempotency-Key is then optional. See the 200 response
                 * @example true
                 */
                dry_run?: "true" | "false";
            };
            header: {
                /**
                 * @description Identifies this write, for example with a new UUID. If you retry with the same key and body, the write is performed only once. Non-ASCII characters must be encoded as UTF-8; other bytes return 400. Optional for dry runs.
                 * @example 0f2c6b1e-9f0a-4c55-8f57-3c1f8b5f2d10
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 3 MB */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewScopeRequestEvidence"];
            };
        };
        responses: {
            /** @description A replay of the first response, or a dry run */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": (components["schemas"]["ScopeRequestEvidence"] & {
                        /**
                         * @description Present only on a replay: an earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay: true;
                    }) | (components["schemas"]["DryRunScopeRequestEvidence"] & {
                        /**
                         * @description Present only on a dry run: nothing was saved
                         * @constant
                         */
                        dry_run: true;
                        /**
                         * @description The status that the real request would return; for a create, 200 means a replay
                         * @enum {number}
                         */
                        would_be: 200 | 201;
                        /**
                         * @description An earlier request with this key performed the write
                         * @constant
                         */
                        idempotent_replay?: true;
                    });
                };
            };
            /** @description The evidence */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScopeRequestEvidence"] & {
                        /**
                         * @description Present only on a replay
                         * @constant
                         */
                        idempotent_replay?: true;
                    };
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description - The request used plain HTTP
             *     - `upgrade_required`: The workspace's plan does not include API access
             *     - `address_not_allowed`: The caller's IP address is not in the token's `allowed_ips`
             *     - `insufficient_scope`: The token does not have the scope in `required_scope`
             *     - `feature_disabled`: The workspace feature `connector_api_ingest` is off
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["WriteConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The plan's record limit is reached */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Should-Retry": components["headers"]["XShouldRetry"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["UnavailableForWrites"];
        };
    };
    feedbackCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "webhook-id": components["parameters"]["webhookid"];
                /**
                 * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
                 * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
                 */
                "webhook-event-id": components["parameters"]["webhookeventid"];
                /**
                 * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
                 * @example 1769851800
                 */
                "webhook-timestamp": components["parameters"]["webhooktimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["webhooksignature"];
                /**
                 * @description Same as `webhook-id`
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "X-Svc-Delivery-Id": components["parameters"]["XSvcDeliveryId"];
                /**
                 * @description The event's name
                 * @example invoice.paid
                 */
                "X-Svc-Event": components["parameters"]["XSvcEvent"];
                /**
                 * @description The number of this attempt, from 1 to 8
                 * @example 1
                 */
                "X-Svc-Attempt": components["parameters"]["XSvcAttempt"];
                /**
                 * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
                 * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
                 */
                "X-Svc-Signature": components["parameters"]["XSvcSignature"];
                /**
                 * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
                 * @example true
                 */
                "X-Svc-Test"?: components["parameters"]["XSvcTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    event: "feedback.created";
                    /**
                     * Format: date-time
                     * @description When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the same record, still process what this event reports (such as a payment or a comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        deliverable_id: string;
                        title: string;
                        version_number: number;
                        review_state: ("draft" | "in_review" | "changes_requested" | "approved") | string;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        client_id: string;
                        /**
                         * @description The client's name
                         * @example Acme
                         */
                        client_name: string;
                        project_id: string | null;
                        /**
                         * @description The project's name; empty if there is no project
                         * @example Relaunch
                         */
                        project_name: string;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        feedback_id: string;
                        /** @enum {string} */
                        kind: "comment" | "change_request";
                        author_name: string;
                        anchor: components["schemas"]["Anchor"] | null;
                    };
                };
            };
        };
        responses: {
            /** @description The delivery is retried, as after a 5XX */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed and is not retried, except after a 408 or 429 */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, with full jitter. `Retry-After` is respected. A redirect is not followed, but retried in the same way */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    signoffRecorded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "webhook-id": components["parameters"]["webhookid"];
                /**
                 * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
                 * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
                 */
                "webhook-event-id": components["parameters"]["webhookeventid"];
                /**
                 * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
                 * @example 1769851800
                 */
                "webhook-timestamp": components["parameters"]["webhooktimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["webhooksignature"];
                /**
                 * @description Same as `webhook-id`
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "X-Svc-Delivery-Id": components["parameters"]["XSvcDeliveryId"];
                /**
                 * @description The event's name
                 * @example invoice.paid
                 */
                "X-Svc-Event": components["parameters"]["XSvcEvent"];
                /**
                 * @description The number of this attempt, from 1 to 8
                 * @example 1
                 */
                "X-Svc-Attempt": components["parameters"]["XSvcAttempt"];
                /**
                 * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
                 * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
                 */
                "X-Svc-Signature": components["parameters"]["XSvcSignature"];
                /**
                 * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
                 * @example true
                 */
                "X-Svc-Test"?: components["parameters"]["XSvcTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    event: "signoff.recorded";
                    /**
                     * Format: date-time
                     * @description When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the same record, still process what this event reports (such as a payment or a comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        deliverable_id: string;
                        title: string;
                        version_number: number;
                        review_state: ("draft" | "in_review" | "changes_requested" | "approved") | string;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        client_id: string;
                        /**
                         * @description The client's name
                         * @example Acme
                         */
                        client_name: string;
                        project_id: string | null;
                        /**
                         * @description The project's name; empty if there is no project
                         * @example Relaunch
                         */
                        project_name: string;
                        signer_name: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The delivery is retried, as after a 5XX */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed and is not retried, except after a 408 or 429 */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, with full jitter. `Retry-After` is respected. A redirect is not followed, but retried in the same way */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deliverableSent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "webhook-id": components["parameters"]["webhookid"];
                /**
                 * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
                 * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
                 */
                "webhook-event-id": components["parameters"]["webhookeventid"];
                /**
                 * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
                 * @example 1769851800
                 */
                "webhook-timestamp": components["parameters"]["webhooktimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["webhooksignature"];
                /**
                 * @description Same as `webhook-id`
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "X-Svc-Delivery-Id": components["parameters"]["XSvcDeliveryId"];
                /**
                 * @description The event's name
                 * @example invoice.paid
                 */
                "X-Svc-Event": components["parameters"]["XSvcEvent"];
                /**
                 * @description The number of this attempt, from 1 to 8
                 * @example 1
                 */
                "X-Svc-Attempt": components["parameters"]["XSvcAttempt"];
                /**
                 * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
                 * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
                 */
                "X-Svc-Signature": components["parameters"]["XSvcSignature"];
                /**
                 * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
                 * @example true
                 */
                "X-Svc-Test"?: components["parameters"]["XSvcTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    event: "deliverable.sent";
                    /**
                     * Format: date-time
                     * @description When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the same record, still process what this event reports (such as a payment or a comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        deliverable_id: string;
                        title: string;
                        version_number: number;
                        review_state: ("draft" | "in_review" | "changes_requested" | "approved") | string;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        client_id: string;
                        /**
                         * @description The client's name
                         * @example Acme
                         */
                        client_name: string;
                        project_id: string | null;
                        /**
                         * @description The project's name; empty if there is no project
                         * @example Relaunch
                         */
                        project_name: string;
                        /**
                         * Format: date-time
                         * @example 2026-01-31T09:30:00.000Z
                         */
                        sent_at: string;
                    };
                };
            };
        };
        responses: {
            /** @description The delivery is retried, as after a 5XX */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed and is not retried, except after a 408 or 429 */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, with full jitter. `Retry-After` is respected. A redirect is not followed, but retried in the same way */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deliverableReminded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "webhook-id": components["parameters"]["webhookid"];
                /**
                 * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
                 * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
                 */
                "webhook-event-id": components["parameters"]["webhookeventid"];
                /**
                 * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
                 * @example 1769851800
                 */
                "webhook-timestamp": components["parameters"]["webhooktimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["webhooksignature"];
                /**
                 * @description Same as `webhook-id`
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "X-Svc-Delivery-Id": components["parameters"]["XSvcDeliveryId"];
                /**
                 * @description The event's name
                 * @example invoice.paid
                 */
                "X-Svc-Event": components["parameters"]["XSvcEvent"];
                /**
                 * @description The number of this attempt, from 1 to 8
                 * @example 1
                 */
                "X-Svc-Attempt": components["parameters"]["XSvcAttempt"];
                /**
                 * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
                 * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
                 */
                "X-Svc-Signature": components["parameters"]["XSvcSignature"];
                /**
                 * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
                 * @example true
                 */
                "X-Svc-Test"?: components["parameters"]["XSvcTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    event: "deliverable.reminded";
                    /**
                     * Format: date-time
                     * @description When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the same record, still process what this event reports (such as a payment or a comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        deliverable_id: string;
                        title: string;
                        version_number: number;
                        review_state: ("draft" | "in_review" | "changes_requested" | "approved") | string;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        client_id: string;
                        /**
                         * @description The client's name
                         * @example Acme
                         */
                        client_name: string;
                        project_id: string | null;
                        /**
                         * @description The project's name; empty if there is no project
                         * @example Relaunch
                         */
                        project_name: string;
                        reminder: number;
                        next_reminder_at: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The delivery is retried, as after a 5XX */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed and is not retried, except after a 408 or 429 */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, with full jitter. `Retry-After` is respected. A redirect is not followed, but retried in the same way */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deliverableSendFailed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "webhook-id": components["parameters"]["webhookid"];
                /**
                 * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
                 * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
                 */
                "webhook-event-id": components["parameters"]["webhookeventid"];
                /**
                 * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
                 * @example 1769851800
                 */
                "webhook-timestamp": components["parameters"]["webhooktimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["webhooksignature"];
                /**
                 * @description Same as `webhook-id`
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "X-Svc-Delivery-Id": components["parameters"]["XSvcDeliveryId"];
                /**
                 * @description The event's name
                 * @example invoice.paid
                 */
                "X-Svc-Event": components["parameters"]["XSvcEvent"];
                /**
                 * @description The number of this attempt, from 1 to 8
                 * @example 1
                 */
                "X-Svc-Attempt": components["parameters"]["XSvcAttempt"];
                /**
                 * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
                 * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
                 */
                "X-Svc-Signature": components["parameters"]["XSvcSignature"];
                /**
                 * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
                 * @example true
                 */
                "X-Svc-Test"?: components["parameters"]["XSvcTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    event: "deliverable.send_failed";
                    /**
                     * Format: date-time
                     * @description When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the same record, still process what this event reports (such as a payment or a comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        deliverable_id: string;
                        title: string;
                        version_number: number;
                        review_state: ("draft" | "in_review" | "changes_requested" | "approved") | string;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        client_id: string;
                        /**
                         * @description The client's name
                         * @example Acme
                         */
                        client_name: string;
                        project_id: string | null;
                        /**
                         * @description The project's name; empty if there is no project
                         * @example Relaunch
                         */
                        project_name: string;
                        kind: ("bounced" | "rejected" | "failed" | "complained") | string;
                        /** @description The reason that the mail service or the recipient's server gave */
                        reason: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The delivery is retried, as after a 5XX */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed and is not retried, except after a 408 or 429 */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, with full jitter. `Retry-After` is respected. A redirect is not followed, but retried in the same way */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeOrderSent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "webhook-id": components["parameters"]["webhookid"];
                /**
                 * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
                 * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
                 */
                "webhook-event-id": components["parameters"]["webhookeventid"];
                /**
                 * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
                 * @example 1769851800
                 */
                "webhook-timestamp": components["parameters"]["webhooktimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["webhooksignature"];
                /**
                 * @description Same as `webhook-id`
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "X-Svc-Delivery-Id": components["parameters"]["XSvcDeliveryId"];
                /**
                 * @description The event's name
                 * @example invoice.paid
                 */
                "X-Svc-Event": components["parameters"]["XSvcEvent"];
                /**
                 * @description The number of this attempt, from 1 to 8
                 * @example 1
                 */
                "X-Svc-Attempt": components["parameters"]["XSvcAttempt"];
                /**
                 * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
                 * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
                 */
                "X-Svc-Signature": components["parameters"]["XSvcSignature"];
                /**
                 * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
                 * @example true
                 */
                "X-Svc-Test"?: components["parameters"]["XSvcTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    event: "change_order.sent";
                    /**
                     * Format: date-time
                     * @description When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the same record, still process what this event reports (such as a payment or a comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        change_order_id: string;
                        title: string;
                        status: string;
                        previous_status: string;
                        /**
                         * @description An ISO 4217 code
                         * @example USD
                         */
                        currency: string;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        amount: number;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        client_id: string;
                        /**
                         * @description The client's name
                         * @example Acme
                         */
                        client_name: string;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        project_id: string;
                        /**
                         * @description The project's name; empty if there is no project
                         * @example Relaunch
                         */
                        project_name: string;
                    };
                };
            };
        };
        responses: {
            /** @description The delivery is retried, as after a 5XX */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed and is not retried, except after a 408 or 429 */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, with full jitter. `Retry-After` is respected. A redirect is not followed, but retried in the same way */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeOrderSigned: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "webhook-id": components["parameters"]["webhookid"];
                /**
                 * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
                 * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
                 */
                "webhook-event-id": components["parameters"]["webhookeventid"];
                /**
                 * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
                 * @example 1769851800
                 */
                "webhook-timestamp": components["parameters"]["webhooktimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["webhooksignature"];
                /**
                 * @description Same as `webhook-id`
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "X-Svc-Delivery-Id": components["parameters"]["XSvcDeliveryId"];
                /**
                 * @description The event's name
                 * @example invoice.paid
                 */
                "X-Svc-Event": components["parameters"]["XSvcEvent"];
                /**
                 * @description The number of this attempt, from 1 to 8
                 * @example 1
                 */
                "X-Svc-Attempt": components["parameters"]["XSvcAttempt"];
                /**
                 * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
                 * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
                 */
                "X-Svc-Signature": components["parameters"]["XSvcSignature"];
                /**
                 * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
                 * @example true
                 */
                "X-Svc-Test"?: components["parameters"]["XSvcTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    event: "change_order.signed";
                    /**
                     * Format: date-time
                     * @description When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the same record, still process what this event reports (such as a payment or a comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        change_order_id: string;
                        title: string;
                        status: string;
                        previous_status: string;
                        /**
                         * @description An ISO 4217 code
                         * @example USD
                         */
                        currency: string;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        amount: number;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        client_id: string;
                        /**
                         * @description The client's name
                         * @example Acme
                         */
                        client_name: string;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        project_id: string;
                        /**
                         * @description The project's name; empty if there is no project
                         * @example Relaunch
                         */
                        project_name: string;
                    };
                };
            };
        };
        responses: {
            /** @description The delivery is retried, as after a 5XX */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed and is not retried, except after a 408 or 429 */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, with full jitter. `Retry-After` is respected. A redirect is not followed, but retried in the same way */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeOrderDeclined: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "webhook-id": components["parameters"]["webhookid"];
                /**
                 * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
                 * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
                 */
                "webhook-event-id": components["parameters"]["webhookeventid"];
                /**
                 * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
                 * @example 1769851800
                 */
                "webhook-timestamp": components["parameters"]["webhooktimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["webhooksignature"];
                /**
                 * @description Same as `webhook-id`
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "X-Svc-Delivery-Id": components["parameters"]["XSvcDeliveryId"];
                /**
                 * @description The event's name
                 * @example invoice.paid
                 */
                "X-Svc-Event": components["parameters"]["XSvcEvent"];
                /**
                 * @description The number of this attempt, from 1 to 8
                 * @example 1
                 */
                "X-Svc-Attempt": components["parameters"]["XSvcAttempt"];
                /**
                 * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
                 * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
                 */
                "X-Svc-Signature": components["parameters"]["XSvcSignature"];
                /**
                 * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
                 * @example true
                 */
                "X-Svc-Test"?: components["parameters"]["XSvcTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    event: "change_order.declined";
                    /**
                     * Format: date-time
                     * @description When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the same record, still process what this event reports (such as a payment or a comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        change_order_id: string;
                        title: string;
                        status: string;
                        previous_status: string;
                        /**
                         * @description An ISO 4217 code
                         * @example USD
                         */
                        currency: string;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        amount: number;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        client_id: string;
                        /**
                         * @description The client's name
                         * @example Acme
                         */
                        client_name: string;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        project_id: string;
                        /**
                         * @description The project's name; empty if there is no project
                         * @example Relaunch
                         */
                        project_name: string;
                    };
                };
            };
        };
        responses: {
            /** @description The delivery is retried, as after a 5XX */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed and is not retried, except after a 408 or 429 */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, with full jitter. `Retry-After` is respected. A redirect is not followed, but retried in the same way */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeDecisionSent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "webhook-id": components["parameters"]["webhookid"];
                /**
                 * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
                 * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
                 */
                "webhook-event-id": components["parameters"]["webhookeventid"];
                /**
                 * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
                 * @example 1769851800
                 */
                "webhook-timestamp": components["parameters"]["webhooktimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["webhooksignature"];
                /**
                 * @description Same as `webhook-id`
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "X-Svc-Delivery-Id": components["parameters"]["XSvcDeliveryId"];
                /**
                 * @description The event's name
                 * @example invoice.paid
                 */
                "X-Svc-Event": components["parameters"]["XSvcEvent"];
                /**
                 * @description The number of this attempt, from 1 to 8
                 * @example 1
                 */
                "X-Svc-Attempt": components["parameters"]["XSvcAttempt"];
                /**
                 * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
                 * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
                 */
                "X-Svc-Signature": components["parameters"]["XSvcSignature"];
                /**
                 * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
                 * @example true
                 */
                "X-Svc-Test"?: components["parameters"]["XSvcTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    event: "change_decision.sent";
                    /**
                     * Format: date-time
                     * @description When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the same record, still process what this event reports (such as a payment or a comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        change_decision_id: string;
                        title: string;
                        /** @enum {string} */
                        kind: "decision" | "milestone_gate";
                        status: string;
                        previous_status: string;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        client_id: string;
                        /**
                         * @description The client's name
                         * @example Acme
                         */
                        client_name: string;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        project_id: string;
                        /**
                         * @description The project's name; empty if there is no project
                         * @example Relaunch
                         */
                        project_name: string;
                    };
                };
            };
        };
        responses: {
            /** @description The delivery is retried, as after a 5XX */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed and is not retried, except after a 408 or 429 */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, with full jitter. `Retry-After` is respected. A redirect is not followed, but retried in the same way */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    invoiceSent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "webhook-id": components["parameters"]["webhookid"];
                /**
                 * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
                 * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
                 */
                "webhook-event-id": components["parameters"]["webhookeventid"];
                /**
                 * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
                 * @example 1769851800
                 */
                "webhook-timestamp": components["parameters"]["webhooktimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["webhooksignature"];
                /**
                 * @description Same as `webhook-id`
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "X-Svc-Delivery-Id": components["parameters"]["XSvcDeliveryId"];
                /**
                 * @description The event's name
                 * @example invoice.paid
                 */
                "X-Svc-Event": components["parameters"]["XSvcEvent"];
                /**
                 * @description The number of this attempt, from 1 to 8
                 * @example 1
                 */
                "X-Svc-Attempt": components["parameters"]["XSvcAttempt"];
                /**
                 * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
                 * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
                 */
                "X-Svc-Signature": components["parameters"]["XSvcSignature"];
                /**
                 * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
                 * @example true
                 */
                "X-Svc-Test"?: components["parameters"]["XSvcTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    event: "invoice.sent";
                    /**
                     * Format: date-time
                     * @description When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the same record, still process what this event reports (such as a payment or a comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        invoice_id: string;
                        number: string;
                        /** @description New values may be added */
                        status: string;
                        previous_status: string;
                        /**
                         * @description An ISO 4217 code
                         * @example USD
                         */
                        currency: string;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        total: number;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        amount_paid: number;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        amount_due: number;
                        issue_date: string | null;
                        due_date: string | null;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        client_id: string;
                        /**
                         * @description The client's name
                         * @example Acme
                         */
                        client_name: string;
                        project_id: string | null;
                        /**
                         * @description The project's name; empty if there is no project
                         * @example Relaunch
                         */
                        project_name: string;
                    };
                };
            };
        };
        responses: {
            /** @description The delivery is retried, as after a 5XX */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed and is not retried, except after a 408 or 429 */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, with full jitter. `Retry-After` is respected. A redirect is not followed, but retried in the same way */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    invoicePaid: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "webhook-id": components["parameters"]["webhookid"];
                /**
                 * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
                 * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
                 */
                "webhook-event-id": components["parameters"]["webhookeventid"];
                /**
                 * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
                 * @example 1769851800
                 */
                "webhook-timestamp": components["parameters"]["webhooktimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["webhooksignature"];
                /**
                 * @description Same as `webhook-id`
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "X-Svc-Delivery-Id": components["parameters"]["XSvcDeliveryId"];
                /**
                 * @description The event's name
                 * @example invoice.paid
                 */
                "X-Svc-Event": components["parameters"]["XSvcEvent"];
                /**
                 * @description The number of this attempt, from 1 to 8
                 * @example 1
                 */
                "X-Svc-Attempt": components["parameters"]["XSvcAttempt"];
                /**
                 * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
                 * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
                 */
                "X-Svc-Signature": components["parameters"]["XSvcSignature"];
                /**
                 * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
                 * @example true
                 */
                "X-Svc-Test"?: components["parameters"]["XSvcTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    event: "invoice.paid";
                    /**
                     * Format: date-time
                     * @description When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the same record, still process what this event reports (such as a payment or a comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        invoice_id: string;
                        number: string;
                        /** @description New values may be added */
                        status: string;
                        previous_status: string;
                        /**
                         * @description An ISO 4217 code
                         * @example USD
                         */
                        currency: string;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        total: number;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        amount_paid: number;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        amount_due: number;
                        /**
                         * @description The amount of this payment, which differs from total for a partial payment
                         * @example 1250.5
                         */
                        amount_received: number;
                        /**
                         * @description The client's name
                         * @example Acme
                         */
                        client_name: string;
                        /**
                         * @description The project's name; empty if there is no project
                         * @example Relaunch
                         */
                        project_name: string;
                        /**
                         * @description Whether the payment was made online (through a processor) or offline
                         * @enum {string}
                         */
                        collected_via: "stripe" | "offline";
                    };
                };
            };
        };
        responses: {
            /** @description The delivery is retried, as after a 5XX */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed and is not retried, except after a 408 or 429 */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, with full jitter. `Retry-After` is respected. A redirect is not followed, but retried in the same way */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    invoiceOverdue: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "webhook-id": components["parameters"]["webhookid"];
                /**
                 * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
                 * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
                 */
                "webhook-event-id": components["parameters"]["webhookeventid"];
                /**
                 * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
                 * @example 1769851800
                 */
                "webhook-timestamp": components["parameters"]["webhooktimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["webhooksignature"];
                /**
                 * @description Same as `webhook-id`
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "X-Svc-Delivery-Id": components["parameters"]["XSvcDeliveryId"];
                /**
                 * @description The event's name
                 * @example invoice.paid
                 */
                "X-Svc-Event": components["parameters"]["XSvcEvent"];
                /**
                 * @description The number of this attempt, from 1 to 8
                 * @example 1
                 */
                "X-Svc-Attempt": components["parameters"]["XSvcAttempt"];
                /**
                 * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
                 * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
                 */
                "X-Svc-Signature": components["parameters"]["XSvcSignature"];
                /**
                 * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
                 * @example true
                 */
                "X-Svc-Test"?: components["parameters"]["XSvcTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    event: "invoice.overdue";
                    /**
                     * Format: date-time
                     * @description When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the same record, still process what this event reports (such as a payment or a comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        invoice_id: string;
                        number: string;
                        /** @description New values may be added */
                        status: string;
                        previous_status: string;
                        /**
                         * @description An ISO 4217 code
                         * @example USD
                         */
                        currency: string;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        total: number;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        amount_paid: number;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        amount_due: number;
                        issue_date: string | null;
                        due_date: string | null;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        client_id: string;
                        /**
                         * @description The client's name
                         * @example Acme
                         */
                        client_name: string;
                        project_id: string | null;
                        /**
                         * @description The project's name; empty if there is no project
                         * @example Relaunch
                         */
                        project_name: string;
                    };
                };
            };
        };
        responses: {
            /** @description The delivery is retried, as after a 5XX */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed and is not retried, except after a 408 or 429 */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, with full jitter. `Retry-After` is respected. A redirect is not followed, but retried in the same way */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    invoiceRefunded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "webhook-id": components["parameters"]["webhookid"];
                /**
                 * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
                 * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
                 */
                "webhook-event-id": components["parameters"]["webhookeventid"];
                /**
                 * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
                 * @example 1769851800
                 */
                "webhook-timestamp": components["parameters"]["webhooktimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["webhooksignature"];
                /**
                 * @description Same as `webhook-id`
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "X-Svc-Delivery-Id": components["parameters"]["XSvcDeliveryId"];
                /**
                 * @description The event's name
                 * @example invoice.paid
                 */
                "X-Svc-Event": components["parameters"]["XSvcEvent"];
                /**
                 * @description The number of this attempt, from 1 to 8
                 * @example 1
                 */
                "X-Svc-Attempt": components["parameters"]["XSvcAttempt"];
                /**
                 * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
                 * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
                 */
                "X-Svc-Signature": components["parameters"]["XSvcSignature"];
                /**
                 * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
                 * @example true
                 */
                "X-Svc-Test"?: components["parameters"]["XSvcTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    event: "invoice.refunded";
                    /**
                     * Format: date-time
                     * @description When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the same record, still process what this event reports (such as a payment or a comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        invoice_id: string;
                        number: string;
                        /** @description New values may be added */
                        status: string;
                        previous_status: string;
                        /**
                         * @description An ISO 4217 code
                         * @example USD
                         */
                        currency: string;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        total: number;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        amount_paid: number;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        amount_due: number;
                        issue_date: string | null;
                        due_date: string | null;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        client_id: string;
                        /**
                         * @description The client's name
                         * @example Acme
                         */
                        client_name: string;
                        project_id: string | null;
                        /**
                         * @description The project's name; empty if there is no project
                         * @example Relaunch
                         */
                        project_name: string;
                        /**
                         * @description The amount of this refund, which was deducted from amount_paid
                         * @example 1250.5
                         */
                        amount_refunded: number;
                    };
                };
            };
        };
        responses: {
            /** @description The delivery is retried, as after a 5XX */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed and is not retried, except after a 408 or 429 */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, with full jitter. `Retry-After` is respected. A redirect is not followed, but retried in the same way */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    invoiceDisputed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "webhook-id": components["parameters"]["webhookid"];
                /**
                 * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
                 * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
                 */
                "webhook-event-id": components["parameters"]["webhookeventid"];
                /**
                 * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
                 * @example 1769851800
                 */
                "webhook-timestamp": components["parameters"]["webhooktimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["webhooksignature"];
                /**
                 * @description Same as `webhook-id`
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "X-Svc-Delivery-Id": components["parameters"]["XSvcDeliveryId"];
                /**
                 * @description The event's name
                 * @example invoice.paid
                 */
                "X-Svc-Event": components["parameters"]["XSvcEvent"];
                /**
                 * @description The number of this attempt, from 1 to 8
                 * @example 1
                 */
                "X-Svc-Attempt": components["parameters"]["XSvcAttempt"];
                /**
                 * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
                 * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
                 */
                "X-Svc-Signature": components["parameters"]["XSvcSignature"];
                /**
                 * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
                 * @example true
                 */
                "X-Svc-Test"?: components["parameters"]["XSvcTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    event: "invoice.disputed";
                    /**
                     * Format: date-time
                     * @description When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the same record, still process what this event reports (such as a payment or a comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        invoice_id: string;
                        number: string;
                        /** @description New values may be added */
                        status: string;
                        previous_status: string;
                        /**
                         * @description An ISO 4217 code
                         * @example USD
                         */
                        currency: string;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        total: number;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        amount_paid: number;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        amount_due: number;
                        issue_date: string | null;
                        due_date: string | null;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        client_id: string;
                        /**
                         * @description The client's name
                         * @example Acme
                         */
                        client_name: string;
                        project_id: string | null;
                        /**
                         * @description The project's name; empty if there is no project
                         * @example Relaunch
                         */
                        project_name: string;
                        /**
                         * @description The amount disputed or returned
                         * @example 1250.5
                         */
                        amount_disputed: number;
                        /**
                         * @description With `opened`, the amount was deducted from `amount_paid`. With `won`, it was added again
                         * @enum {string}
                         */
                        dispute_status: "opened" | "won";
                    };
                };
            };
        };
        responses: {
            /** @description The delivery is retried, as after a 5XX */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed and is not retried, except after a 408 or 429 */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, with full jitter. `Retry-After` is respected. A redirect is not followed, but retried in the same way */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    depositCleared: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, which stays the same across retries and replays. Use it to deduplicate
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "webhook-id": components["parameters"]["webhookid"];
                /**
                 * @description The event's id in `GET /api-v1/events`, which is the same for every endpoint
                 * @example 8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b
                 */
                "webhook-event-id": components["parameters"]["webhookeventid"];
                /**
                 * @description When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old
                 * @example 1769851800
                 */
                "webhook-timestamp": components["parameters"]["webhooktimestamp"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). While the secret is being rotated, there are two values separated by a space, of which the first uses the new secret. Accept the delivery if either value is valid
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["webhooksignature"];
                /**
                 * @description Same as `webhook-id`
                 * @example 6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b
                 */
                "X-Svc-Delivery-Id": components["parameters"]["XSvcDeliveryId"];
                /**
                 * @description The event's name
                 * @example invoice.paid
                 */
                "X-Svc-Event": components["parameters"]["XSvcEvent"];
                /**
                 * @description The number of this attempt, from 1 to 8
                 * @example 1
                 */
                "X-Svc-Attempt": components["parameters"]["XSvcAttempt"];
                /**
                 * @description The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being rotated, there are two values separated by a comma, of which the first uses the new secret
                 * @example sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607
                 */
                "X-Svc-Signature": components["parameters"]["XSvcSignature"];
                /**
                 * @description Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which is an example
                 * @example true
                 */
                "X-Svc-Test"?: components["parameters"]["XSvcTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    event: "deposit.cleared";
                    /**
                     * Format: date-time
                     * @description When the event happened. Deliveries can arrive out of order. If you have already processed a newer event for the same record, still process what this event reports (such as a payment or a comment), but keep the newer event's `status`, `review_state`, `amount_paid` and `amount_due`.
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    created_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        deposit_id: string;
                        status: string;
                        previous_status: string;
                        /**
                         * @description An ISO 4217 code
                         * @example USD
                         */
                        currency: string;
                        /**
                         * @description A decimal amount, with as many decimal places as the currency has
                         * @example 1250.5
                         */
                        amount: number;
                        /**
                         * @description Whether the payment was made online (through a processor) or offline
                         * @enum {string}
                         */
                        collected_via: "stripe" | "offline";
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        client_id: string;
                        /**
                         * @description The client's name
                         * @example Acme
                         */
                        client_name: string;
                        /**
                         * Format: uuid
                         * @example 0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10
                         */
                        project_id: string;
                        /**
                         * @description The project's name; empty if there is no project
                         * @example Relaunch
                         */
                        project_name: string;
                    };
                };
            };
        };
        responses: {
            /** @description The delivery is retried, as after a 5XX */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed and is not retried, except after a 408 or 429 */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h, with full jitter. `Retry-After` is respected. A redirect is not followed, but retried in the same way */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
