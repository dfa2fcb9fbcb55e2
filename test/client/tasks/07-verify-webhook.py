# Tell a genuine delivery from a forged one, without a library. Page: webhooks.md, whose test vector it uses
import base64, hashlib, hmac, os, re, urllib.request

page = urllib.request.urlopen(os.environ["BASE_URL"] + "/docs/webhooks.md").read().decode()
vector = dict(re.findall(r"^(secret|webhook-id|webhook-timestamp|body|webhook-signature) +(.+)$", page, re.M))
now = int(vector["webhook-timestamp"]) + 60

def is_genuine(headers, raw_body):
    if abs(now - int(headers["webhook-timestamp"])) > 300:
        return False
    key = base64.b64decode(vector["secret"].removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + raw_body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split(" "))

body = vector["body"].encode()
assert is_genuine(vector, body)
assert not is_genuine(vector, body.replace(b"500", b"501")), "a changed amount"
assert not is_genuine(vector | {"webhook-timestamp": str(now - 3600)}, body), "a stale one"
rotated = vector | {"webhook-signature": "v1,AAAA " + vector["webhook-signature"]}
assert is_genuine(rotated, body), "two signatures while a secret is rotated"
print("done: the vector verifies, and what was changed does not")
