import { expect, it } from "vitest";
import { shareUrl } from "./share-url.ts";

it.each([
  ["https://partner.example", "https://app.example.com", "https://partner.example"],
  [null, "https://app.example.com", "https://app.example.com"],
  ["http://partner.example", "https://app.example.com", "https://app.example.com"],
  ["https://partner.example/path", "https://app.example.com", "https://app.example.com"],
])(
  "from the origin %s, with the application at %s, a review has the address %s",
  (origin, application, base) => {
    const [url, other] = [shareUrl(origin, application), shareUrl(origin, application)];
    expect(url).toMatch(new RegExp(`^${base}/review/[\\w-]{32}$`));
    expect(other).not.toBe(url);
  },
);
