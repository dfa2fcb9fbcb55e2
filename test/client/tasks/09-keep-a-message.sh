# Keep a client's message as evidence of scope, once for each message of the chat. Page: ingestRequest.md
set -euo pipefail
CALL=$(curl -sSf "$BASE_URL/docs/first-call.md")
KEY=$(echo "$CALL" | sed -n "s/.*-H 'apikey: \(.*\)' .*/\1/p" | head -1)
TOKEN=$(echo "$CALL" | sed -n "s/.*Bearer \(svc_[0-9a-f]*\).*/\1/p" | head -1)
CLIENT=$(curl -sSf "$BASE_URL/api-v1/clients?status=active&limit=1" -H "apikey: $KEY" -H "Authorization: Bearer $TOKEN" |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["data"][0]["id"])')
MESSAGE="chat-$(date +%s)-$$"
ingest() {
  curl -sS --fail-with-body "$BASE_URL/api-ingest-request" -H "apikey: $KEY" -H "Authorization: Bearer $TOKEN" \
    -H "Content-Type: application/json" -H "Idempotency-Key: $1" \
    -d '{"client_id": "'"$CLIENT"'", "content": "Could we have it in French too?", "external_id": "'"$MESSAGE"'"}'
}
FIRST=$(ingest "$MESSAGE-first")
# Another run of the job sends the same message with another key, and gets the same record.
AGAIN=$(ingest "$MESSAGE-second")
FIRST="$FIRST" AGAIN="$AGAIN" python3 -c '
import json, os
first, again = json.loads(os.environ["FIRST"]), json.loads(os.environ["AGAIN"])
assert first["id"] == again["id"] and again["idempotent_replay"] is True
print("done: kept once, said by the", first["author_kind"])'
