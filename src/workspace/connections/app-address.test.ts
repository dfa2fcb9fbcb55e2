import { expect, it } from "vitest";
import { appOf } from "./app-address.ts";

it.each([
  ["https://timer.example/app", "https://timer.example/back?kept=1", "timer.example"],
  ["https://timer.example", "https://timer.example:443/back", "timer.example"],
  ["https://timer.example:8443/app", "https://timer.example:8443/", "timer.example:8443"],
  ["https://тимер.example/app", "https://xn--e1afmrg.example/back", "xn--e1afmrg.example"],
  ["http://127.0.0.1", "http://127.0.0.1:49152/back", "127.0.0.1"],
  ["http://127.0.0.1:80/cli", "http://127.0.0.1:49152/back", "127.0.0.1"],
  ["http://[::1]", "http://[::1]:49152/back", "[::1]"],
])("derives the app from the client_id %s and the redirect_uri %s [J3]", (clientId, redirectUri, host) => {
  expect(appOf(clientId, redirectUri)).toMatchObject({ clientId, redirectUri, host });
});

it.each([
  [undefined, "https://timer.example/back"],
  ["https://timer.example/app", undefined],
  ["my app", "https://timer.example/back"],
  ["https://timer.example/app", "/back"],
  ["https://timer.example/app", "https://evil.example/back"],
  ["https://timer.example/app", "https://timer.example.evil.example/back"],
  ["https://timer.example/app", "https://sub.timer.example/back"],
  ["https://timer.example/app", "https://timer.example:8443/back"],
  ["https://timer.example/app", "http://timer.example/back"],
  ["http://timer.example/app", "http://timer.example/back"],
  ["http://localhost", "http://localhost:49152/back"],
  ["http://127.0.0.1", "http://[::1]:49152/back"],
  ["http://127.0.0.1", "https://127.0.0.1:49152/back"],
  ["http://127.0.0.1", "http://127.0.0.2:49152/back"],
  ["https://timer.example/app", "https://user@timer.example/back"],
  ["https://@timer.example/app", "https://timer.example/back"],
  ["https:timer.example@evil.example", "https://evil.example/back"],
  ["https://timer.example/app#a", "https://timer.example/back"],
  ["https://timer.example/app", "https://timer.example/back#"],
  ["https://timer.example/app", "https://timer.example\\@evil.example/back"],
  ["https://timer.example/app", "https://timer.example/back\n"],
  ["https://timer.example/app", "https://timer.ex\tample/back"],
  ["https://timer.example/app", "javascript:alert(1)"],
  ["com.timer:/app", "com.timer:/back"],
])("derives no app from the client_id %s and the redirect_uri %s [J3]", (clientId, redirectUri) => {
  expect(appOf(clientId, redirectUri)).toBeNull();
});
