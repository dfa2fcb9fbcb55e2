import { expect, it } from "vitest";
import { shareUrl } from "./share-url.ts";

it.each([
  ["https://partner.example", "https://app.example.com", "https://partner.example"],
  [null, "https://app.example.com", "https://app.example.com"],
  ["http://partner.example", "https://app.example.com", "https://app.example.com"],
  ["https://partner.example/path", "https://app.example.com", "https://app.example.com"],
])(
  "with the origin %s and the application at %s, a share URL is under %s and has the workspace's prefix",
  (origin, application, base) => {
    const [url, other] = [
      shareUrl(origin, application, "Wo-rksp_"),
      shareUrl(origin, application, "Wo-rksp_"),
    ];
    expect(url).toMatch(new RegExp(`^${base}/review/Wo-rksp_[\\w-]{24}$`));
    expect(other).not.toBe(url);
  },
);
