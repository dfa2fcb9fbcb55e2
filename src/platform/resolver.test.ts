import { describe, expect, it } from "vitest";
import { dnsOverHttps } from "./resolver.ts";

const endpoint = "https://dns.example/dns-query";

/** Creates a DNS server that answers by record type; a type without an entry has no records. */
const serving = (answers: {
  A?: () => Response | Promise<Response>;
  AAAA?: () => Response | Promise<Response>;
}) => {
  const asked: Request[] = [];
  const fetcher = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    asked.push(request);
    const type = new URL(request.url).searchParams.get("type") === "A" ? "A" : "AAAA";
    return (await answers[type]?.()) ?? Response.json({ Status: 0 });
  };
  return { resolve: dnsOverHttps(fetcher as typeof fetch, endpoint), asked };
};

const record = (type: number, data: string) => ({ name: "example.com", type, TTL: 60, data });

describe("the DNS-over-HTTPS resolver", () => {
  it("returns the address of every A and AAAA record, without the CNAME records", async () => {
    const { resolve, asked } = serving({
      A: () =>
        Response.json({
          Status: 0,
          Answer: [record(5, "edge.example.net."), record(1, "192.0.2.1"), record(1, "192.0.2.2")],
        }),
      AAAA: () => Response.json({ Status: 0, Answer: [record(28, "2001:db8::1")] }),
    });
    expect(await resolve("example.com")).toEqual(["192.0.2.1", "192.0.2.2", "2001:db8::1"]);
    expect(asked.map((request) => request.url).sort()).toEqual([
      `${endpoint}?name=example.com&type=A`,
      `${endpoint}?name=example.com&type=AAAA`,
    ]);
    expect(asked[0]?.headers.get("accept")).toBe("application/dns-json");
  });

  it("returns an empty list for a name without addresses", async () => {
    expect(await serving({}).resolve("example.com")).toEqual([]);
  });

  it.each([
    ["an unknown name", () => Response.json({ Status: 3 })],
    ["a failing server", () => Response.json({ Status: 2 })],
    ["an HTTP error", () => new Response("", { status: 503 })],
    [
      "a redirect",
      () => new Response("", { status: 302, headers: { location: "https://elsewhere.example/" } }),
    ],
    [
      "a truncated answer",
      () => Response.json({ Status: 0, TC: true, Answer: [record(28, "2606:4700::1")] }),
    ],
    ["an answer that is not JSON", () => new Response("<html>")],
    ["an answer of another shape", () => Response.json({ Answer: "none" })],
    ["a broken connection", () => Promise.reject(new Error("Network connection lost."))],
  ])("fails if either lookup returns %s", async (_, answer) => {
    const { resolve } = serving({
      A: () => Response.json({ Status: 0, Answer: [record(1, "93.184.216.34")] }),
      AAAA: answer,
    });
    await expect(resolve("example.com")).rejects.toThrow();
  });

  it("fails at its deadline", async () => {
    const hanging = (_: unknown, init?: RequestInit) =>
      new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
    const startedMs = Date.now();
    await expect(dnsOverHttps(hanging as typeof fetch, endpoint)("example.com")).rejects.toThrow();
    // Two seconds, or five on a busy machine.
    expect(Date.now() - startedMs).toBeLessThan(7_000);
  });

  it("does not follow redirects", async () => {
    const { resolve, asked } = serving({});
    await resolve("example.com");
    expect(asked.map(({ redirect }) => redirect)).toEqual(["manual", "manual"]);
  });
});
