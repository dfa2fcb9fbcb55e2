"""The Python client behind the protocol of the README beside it: one JSON request per line, one JSON response
each."""

import base64
import json
import os
import random
import re
import sqlite3
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "client-python"))

import partner_api  # noqa: E402

if jitter := os.environ.get("JITTER"):
    random.random = lambda: float(jitter)

printing = threading.Lock()
followers = {}


def say(line):
    with printing:
        print(json.dumps(line), flush=True)


def snake(name):
    return re.sub(r"([A-Z])", lambda match: "_" + match[1].lower(), name)


def options_of(given):
    options = {snake(name): value for name, value in (given or {}).items()}
    if "timeout_ms" in options:
        options["timeout"] = options.pop("timeout_ms") / 1000
    return options


def client_for(request):
    def on_retry(retry):
        say(
            {
                "id": request["id"],
                "retry": retry.retry,
                "delayMs": retry.delay * 1000,
                "error": type(retry.error).__name__,
                "method": retry.method,
                "path": retry.path,
            }
        )

    return partner_api.PartnerApi(on_retry=on_retry, **options_of(request["client"]))


def method_of(request):
    resource, name = map(snake, request["method"].split("."))
    return getattr(getattr(client_for(request), resource), name)


def connect(store):
    connection = sqlite3.connect(store["file"])
    return connection, partner_api.SqliteStore(connection, store["name"]), store["table"]


def call(request):
    values = request.get("values", [])
    body = [request["body"]] if request.get("body") is not None else []
    result = method_of(request)(*values, *body, **options_of(request.get("options")))
    if isinstance(result, partner_api.Answer):
        return {"base64": base64.b64encode(result.content).decode()}
    return {"value": result, "requestId": partner_api.request_id_of(result)}


def list_(request):
    query = request.get("query") or {}
    method = method_of(request)
    listing = method(
        *request.get("values", []), **query, **options_of(request.get("options"))
    )
    walk, most = request.get("walk", "items"), request.get("max")
    if walk == "page":
        return listing.page()
    if walk == "all":
        return listing.all(most)
    if walk == "pages":
        return [page["data"] for page in listing.pages()]
    items = []
    if most == 0:
        return items
    for item in listing:
        items.append(item)
        if len(items) == most:
            break
    return items


def verify(request):
    webhooks = client_for(request).webhooks
    check = webhooks.verify_legacy if request.get("scheme") == "legacy" else webhooks.verify
    return check(base64.b64decode(request["raw"]), request["headers"])


def handler(request, table):
    def handle(event, transaction):
        transaction.execute(f"INSERT INTO {table} (event_id) VALUES (?)", (event["id"],))
        if event["id"] == request.get("failAt"):
            raise OSError("the disk is full")
        if request["do"] == "follow":
            # Leaves time for a kill between the work and its commit.
            time.sleep(0.001)

    return handle


def catch_up(request):
    connection, store, table = connect(request["store"])
    feed = options_of(request.get("feed"))
    client_for(request).events.catch_up(store=store, handle=handler(request, table), **feed)
    connection.close()


def follow(request):
    _, store, table = connect(request["store"])
    follower = client_for(request).events.follow(
        store=store,
        handle=handler(request, table),
        on_outage=lambda error: say({"id": request["id"], "outage": type(error).__name__}),
        **options_of(request.get("feed")),
    )
    followers[request["id"]] = follower
    follower.run()


def receive(request):
    raw = base64.b64decode(request["raw"])
    return followers[request["follower"]].receive(raw, request["headers"])


def sync(request):
    connection, store, table = connect(request["store"])

    def upsert(client, transaction):
        row = (client["id"], client["name"], client["updated_at"])
        transaction.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)", row)
        if client["id"] == request.get("failAt"):
            raise OSError("the disk is full")
        if request.get("slow"):
            time.sleep(0.001)

    client_for(request).clients.sync(store=store, upsert=upsert)
    connection.close()


operations = {
    "call": call,
    "list": list_,
    "verify": verify,
    "sign": lambda request: partner_api.sign_delivery(*request["sign"]),
    "catchUp": catch_up,
    "follow": follow,
    "receive": receive,
    "stop": lambda request: followers[request["follower"]].stop(),
    "sync": sync,
}


def told(error):
    if not isinstance(error, partner_api.PartnerApiError):
        return {"isOurs": False, "message": str(error)}
    common = {
        "isOurs": True,
        "name": type(error).__name__,
        "message": str(error),
        "retryable": error.retryable,
    }
    if not isinstance(error, partner_api.RefusedError):
        return common
    refused = {"status": error.status, "code": error.code, "body": error.body, "errors": error.errors}
    return {**common, **refused, "requestId": error.request_id}


def run(request):
    try:
        say({"id": request["id"], "result": operations[request["do"]](request)})
    except Exception as error:
        say({"id": request["id"], "error": told(error)})


for line in sys.stdin:
    threading.Thread(target=run, args=(json.loads(line),), daemon=True).start()
