# Which workspace is this, and what may I do there? Pages: llms.txt, first-call.md, getToken.md
set -euo pipefail
[[ $(curl -sSf "$BASE_URL/llms.txt") = */docs/first-call.md* ]]
CALL=$(curl -sSf "$BASE_URL/docs/first-call.md")
KEY=$(echo "$CALL" | sed -n "s/.*-H 'apikey: \(.*\)' .*/\1/p" | head -1)
TOKEN=$(echo "$CALL" | sed -n "s/.*Bearer \(svc_[0-9a-f]*\).*/\1/p" | head -1)
ME=$(curl -sSf "$BASE_URL/api-v1/token" -H "apikey: $KEY" -H "Authorization: Bearer $TOKEN")
echo "$ME" | python3 -c '
import json, sys
me = json.load(sys.stdin)
assert "client:read" in me["scopes"]
print("done:", me["organization"]["name"], "on plan", me["organization"]["plan"], "with", len(me["scopes"]), "scopes")'
