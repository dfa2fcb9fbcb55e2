# Send a design to a client for review by e-mail. Pages: review.md, createDeliverable.md, sendDeliverable.md
set -euo pipefail
CALL=$(curl -sSf "$BASE_URL/docs/first-call.md")
KEY=$(echo "$CALL" | sed -n "s/.*-H 'apikey: \(.*\)' .*/\1/p" | head -1)
TOKEN=$(echo "$CALL" | sed -n "s/.*Bearer \(svc_[0-9a-f]*\).*/\1/p" | head -1)
field() { python3 -c "import json, sys; print(json.load(sys.stdin)['$1'])"; }
get() { curl -sS --fail-with-body "$BASE_URL$1" -H "apikey: $KEY" -H "Authorization: Bearer $TOKEN"; }
post() {
  curl -sS --fail-with-body "$BASE_URL$1" -H "apikey: $KEY" -H "Authorization: Bearer $TOKEN" \
    -H "Content-Type: application/json" -H "Idempotency-Key: $2" -d "$3"
}
RUN="review-$(date +%s)-$$"
CLIENT=$(post /api-v1/clients "$RUN-client" '{"client_name": "Nora Wind", "email": "nora@wind.example"}' | field id)
WORK=$(post /api-v1/deliverables "$RUN-work" \
  '{"title": "Poster", "client_id": "'"$CLIENT"'", "embed_url": "https://www.example.com/poster/1"}')
ID=$(echo "$WORK" | field id)
[[ $(curl -sSf "$(echo "$WORK" | field share_url)") = *Poster* ]]
SENT=$(post "/api-v1/deliverables/$ID/send" "$RUN-send" '{"message": "Here is the poster."}')
test "$(echo "$SENT" | field ok)" = True
# The client gets one e-mail, however often the response is lost.
test "$(post "/api-v1/deliverables/$ID/send" "$RUN-send" '{"message": "Here is the poster."}' | field idempotent_replay)" = True
test "$(get "/api-v1/deliverables/$ID" | field review_state)" = in_review
echo "done: in review"
