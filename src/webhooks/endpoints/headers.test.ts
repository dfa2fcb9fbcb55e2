import { expect, it } from "vitest";
import { EndpointHeadersInput, withoutValues } from "./headers.ts";

const problemIn = (headers: unknown) => EndpointHeadersInput.safeParse(headers).error?.issues[0]?.message;

it.each([
  [{ "X-Key": "a", Authorization: "Bearer a b~!", ["x".repeat(64)]: "v".repeat(1024) }],
  [{ "X-!#$%&'*+.^_`|~1": "1" }],
  [{}],
])("accepts the headers %j [W29]", (headers) => {
  expect(EndpointHeadersInput.parse(headers)).toEqual(headers);
});

it.each([
  ...["webhook-id", "X-Svc-Test", "Content-Type", "content-length", "User-Agent", "Host", "cookie"],
  ...[
    "Transfer-Encoding",
    "connection",
    "keep-alive",
    "upgrade",
    "TE",
    "trailer",
    "Proxy-Authorization",
    "Expect",
  ],
])("rejects the header %s, which deliveries or connections use [W29]", (name) => {
  expect(problemIn({ [name]: "secret" })).toBe(
    `headers may not set "${name}": it is set by deliveries or the connection`,
  );
});

it.each(['{"__proto__":"s3cret"}', '{"X-Key":"1","__proto__":{"X-Key":"s3cret"}}'])(
  "rejects the headers %s, whose name a JavaScript object cannot hold [W29]",
  (headers) => expect(problemIn(JSON.parse(headers))).toBe('headers may not set "__proto__"'),
);

it.each([
  [{ "": "1" }, 'headers has the name ""'],
  [{ "X Key": "1" }, 'headers has the name "X Key"'],
  [{ ["x".repeat(65)]: "1" }, `headers has the name "${"x".repeat(64)}"`],
  [{ ä: "1" }, 'headers has the name "ä"'],
  [{ "X-Key": "1", "x-key": "2" }, 'headers names "x-key" more than once'],
  [
    Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`x-${n}`, "1"])),
    "headers must have at most 5 names",
  ],
  ...["", " s3cret", "s3cret ", "s3\u0000cret", "s3\ncret", "s3cré", "v".repeat(1025)].map(
    (value): [object, string] => [{ "X-Key": value }, `headers has a value of "X-Key" that can't be sent`],
  ),
])("rejects the headers %j without repeating a value in the error [W29]", (headers, beginning) => {
  const problem = problemIn(headers);
  expect(problem?.startsWith(beginning)).toBe(true);
  expect(problem).not.toMatch(/s3/);
});

it.each([
  ["key k3y-of-gateway!", "key [masked]!", false],
  ['{"key":"a\\"b"}', '{"key":"[masked]"}', false],
  ["no token sesame-opens", "no token [masked]", false],
  ["Bearer is missing", "Bearer is missing", false],
  ["cut at k3y-of-ga", "cut at [masked]", true],
  ["it ends in k3y-of-ga", "it ends in k3y-of-ga", false],
])("masks header values: %j is stored as %j [W30]", (text, kept, isCut) => {
  const headers = { "X-Key": "k3y-of-gateway", "X-Quoted": 'a"b', Authorization: "Bearer sesame-opens" };
  expect(withoutValues(text, headers, isCut)).toBe(kept);
});
