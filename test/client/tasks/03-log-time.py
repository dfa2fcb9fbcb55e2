# Log 90 minutes once, even if the first response is lost. Pages: log-time.md, idempotency.md, createTimeEntry.md
import json, os, re, urllib.request, uuid

base = os.environ["BASE_URL"]
page = urllib.request.urlopen(f"{base}/docs/first-call.md").read().decode()
headers = {
    "apikey": re.search(r"-H 'apikey: (.+)'", page)[1],
    "Authorization": "Bearer " + re.search(r"Bearer (svc_[0-9a-f]+)", page)[1],
}

def call(path, body=None, key=None):
    sent = dict(headers)
    if body is not None:
        sent |= {"Content-Type": "application/json", "Idempotency-Key": key}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(base + path, data, sent)) as answer:
        return answer.status, json.load(answer)

_, projects = call("/api-v1/projects?limit=1&status=active")
entry = {
    "project_id": projects["data"][0]["id"],
    "started_at": "2026-01-31T09:30:00+01:00",
    "ended_at": "2026-01-31T11:00:00+01:00",
}
key = f"timer-{uuid.uuid4()}"
call("/api-v1/time-entries", entry, key)  # this response counts as lost
status, again = call("/api-v1/time-entries", entry, key)
assert status == 200 and again["idempotent_replay"] is True, (status, again)
assert again["hours"] == 1.5 and again["spent_date"] == "2026-01-31" and again["client_ref"] == key
_, found = call(f"/api-v1/time-entries/{again['id']}")
assert found["id"] == again["id"]
print("done:", again["hours"], "hours, once")
