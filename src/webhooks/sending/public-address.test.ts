import { describe, expect, it } from "vitest";
import type { TargetOptions } from "../../platform/resolver.ts";
import { checkTarget } from "./public-address.ts";
import { isPublicAddress } from "./special-ranges.ts";

const answering =
  (...addresses: string[]): TargetOptions["resolve"] =>
  async () =>
    addresses;
const publicName: TargetOptions = {
  allowLocal: false,
  resolve: answering("93.184.216.34", "2606:2800:220:1::1"),
};
const judge = (url: string, options = publicName) => checkTarget(url, options);

/** All of these must be refused, although the resolver returns a public address for every name. */
const refused = {
  not_public: [
    // IPv4 in the spellings that the URL parser turns into four decimal parts
    "https://127.0.0.1/",
    "https://127.1/",
    "https://127.0.1/",
    "https://127.255.255.254/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0x7f.1/",
    "https://017700000001/",
    "https://0177.0.0.1/",
    "https://0177.0x0.1/",
    "https://127.0.0.1./",
    "https://%31%32%37.0.0.1/",
    "https://①②⑦.⓪.⓪.①/",
    "https://127。0。0。1/",
    "https://0/",
    "https://0.0.0.0/",
    "https://0.1.2.3/",
    "https://10.0.0.1/",
    "https://10.1/",
    "https://167772161/",
    "https://0xa000001/",
    "https://012.0.0.1/",
    "https://100.64.0.1/",
    "https://100.127.255.254/",
    "https://169.254.169.254/latest/meta-data/",
    "https://2852039166/",
    "https://0xa9fea9fe/",
    "https://0251.0376.0251.0376/",
    "https://172.16.0.1/",
    "https://172.31.255.255/",
    "https://192.0.0.170/",
    "https://192.0.2.1/",
    "https://192.88.99.1/",
    "https://192.168.1.1/",
    "https://192.168.257/",
    "https://198.18.0.1/",
    "https://198.19.255.255/",
    "https://198.51.100.7/",
    "https://203.0.113.7/",
    "https://224.0.0.1/",
    "https://239.255.255.255/",
    "https://240.0.0.1/",
    "https://255.255.255.255/",
    "https://4294967295/",
    // IPv6
    "https://[::]/",
    "https://[::1]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[0000:0000:0000:0000:0000:0000:0000:0001]/",
    "https://[::127.0.0.1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::FFFF:10.0.0.1]/",
    "https://[::ffff:93.184.216.34]/",
    "https://[::ffff:0:127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b::169.254.169.254]/",
    "https://[64:ff9b::93.184.216.34]/",
    "https://[64:ff9b:1::a00:1]/",
    "https://[100::1]/",
    "https://[2001::1]/",
    "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    "https://[2001:2::1]/",
    "https://[2001:20::1]/",
    "https://[2001:db8::1]/",
    "https://[2002:7f00:1::]/",
    "https://[2002:a9fe:a9fe::1]/",
    "https://[3fff::1]/",
    "https://[4000::1]/",
    "https://[5f00::1]/",
    "https://[fc00::1]/",
    "https://[fd00:ec2::254]/",
    "https://[fe80::1]/",
    "https://[febf::1]/",
    "https://[fec0::1]/",
    "https://[ff02::1]/",
    // Names that do not exist on the public internet
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://ｌｏｃａｌｈｏｓｔ/",
    "https://app.localhost/",
    "https://printer.local/",
    "https://printer.local./",
    "https://metadata.google.internal/",
    "https://router.home.arpa/",
    "https://intranet/",
    "https://intranet./",
    "https://example.com../",
    "https://.example.com/",
  ],
  not_https: [
    "http://example.com/",
    "http://127.0.0.1/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "ws://example.com/",
    "wss://example.com/",
  ],
  invalid_url: [
    "",
    "example.com",
    "/hook",
    "https://",
    "https://:443/",
    "https://exa mple.com/",
    "https://exa\tmple.com/",
    "https://example.com/a\nb",
    "https://example.com/\u202ekooh",
    "https://1.2.3.4.5/",
    "https://256.256.256.256/",
    "https://[::1",
    "https://[fe80::1%25eth0]/",
    "https://example.com:65536/",
    "https://example.com:-1/",
  ],
  credentials_in_url: [
    "https://user@example.com/",
    "https://user:pass@example.com/",
    "https://:pass@example.com/",
    "https://example.com%40@example.org/",
  ],
  blocked_port: [
    "https://example.com:0/",
    "https://example.com:22/",
    "https://example.com:25/",
    "https://example.com:6667/",
  ],
} as const;

describe("the check of a webhook's target [W22]", () => {
  for (const [reason, urls] of Object.entries(refused)) {
    it.each(urls)(`rejects %s as ${reason}`, async (url) => {
      expect(await judge(url)).toEqual({ ok: false, reason });
    });
  }

  it("blocks port 0 and exactly the ports that fetch blocks", async () => {
    const sent = new Error("sent");
    const dispatch = () => {
      throw sent;
    };
    const sendsNothing: object = { dispatcher: { dispatch } };
    const blocked: number[] = [];
    const refused: number[] = [];
    // The ports that the Fetch Standard blocks, and their neighbors.
    const around = [1719, 2049, 3659, 4045, 4190, 5060, 6000, 6566, 6667, 6679, 6697, 10_080];
    const ports = [0, ...around].flatMap((first) =>
      Array.from({ length: first === 0 ? 1_030 : 8 }, (_, index) => Math.max(first - 3, 0) + index),
    );
    for (const port of ports) {
      const { cause } = await fetch(`http://example.com:${port}`, sendsNothing).catch((error) => error);
      if (port === 0 || cause.message === "bad port") blocked.push(port);
      else expect(cause).toBe(sent);
      if (!(await judge(`https://example.com:${port}/`)).ok) refused.push(port);
    }
    expect(refused).toEqual(blocked);
  });

  it.each([
    ["https://example.com/hook?a=b", "https://example.com/hook?a=b"],
    ["https://EXAMPLE.com:443/hook", "https://example.com/hook"],
    ["https://example.com.:8443/", "https://example.com:8443/"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["https://8.8.8.8/", "https://8.8.8.8/"],
    ["https://134744072/", "https://8.8.8.8/"],
    ["https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/"],
    ["https://localhost.example.com/", "https://localhost.example.com/"],
    ["https://example.com\\@127.0.0.1/", "https://example.com/@127.0.0.1/"],
  ])("allows %s as %s", async (url, normalized) => {
    expect(await judge(url)).toEqual({ ok: true, url: normalized });
  });

  it.each([
    [["93.184.216.34", "10.0.0.1"], "not_public"],
    [["93.184.216.34", "::1"], "not_public"],
    [["93.184.216.34", "::ffff:10.0.0.1"], "not_public"],
    [["64:ff9b::a00:1"], "not_public"],
    [["100.100.100.200"], "not_public"],
    [["not an address"], "not_public"],
    [["2130706433"], "not_public"],
    [[], "unresolved"],
  ])("rejects a name that resolves to %j", async (addresses, reason) => {
    const verdict = await judge("https://example.com/", {
      allowLocal: false,
      resolve: answering(...addresses),
    });
    expect(verdict).toEqual({ ok: false, reason });
  });

  it("rejects a name if the resolver fails", async () => {
    const failing = { allowLocal: false, resolve: () => Promise.reject(new Error("SERVFAIL")) };
    expect(await judge("https://example.com/", failing)).toEqual({ ok: false, reason: "unresolved" });
  });

  it("resolves the name each time, so that a name that is rebound after registration is rejected", async () => {
    const answers = [["93.184.216.34"], ["169.254.169.254"]];
    const rebinding = { allowLocal: false, resolve: async () => answers.shift() ?? [] };
    expect(await judge("https://rebind.example/", rebinding)).toMatchObject({ ok: true });
    expect(await judge("https://rebind.example/", rebinding)).toEqual({ ok: false, reason: "not_public" });
  });

  it("resolves a name without its trailing dot, and does not resolve an address", async () => {
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return ["93.184.216.34"];
    };
    await judge("https://example.com./", { allowLocal: false, resolve });
    await judge("https://8.8.8.8/", { allowLocal: false, resolve });
    expect(asked).toEqual(["example.com"]);
  });
});

describe("ALLOW_LOCAL_WEBHOOK_TARGETS [W23]", () => {
  const local = { ...publicName, allowLocal: true };

  it.each([
    "http://127.0.0.1:9000/",
    "https://127.8.8.8/",
    "http://localhost:9000/",
    "http://localhost./",
    "https://localhost/",
    "http://[::1]:9000/",
    "http://2130706433:9000/",
  ])("allows %s", async (url) => {
    expect(await judge(url, local)).toMatchObject({ ok: true });
  });

  it.each([
    ["http://example.com/", "not_https"],
    ["http://10.0.0.1/", "not_https"],
    ["https://10.0.0.1/", "not_public"],
    ["https://0.0.0.0/", "not_public"],
    ["https://192.168.1.1/", "not_public"],
    ["https://169.254.169.254/", "not_public"],
    ["https://[::ffff:127.0.0.1]/", "not_public"],
    ["https://app.localhost/", "not_public"],
    ["https://printer.local/", "not_public"],
    ["http://user@127.0.0.1/", "credentials_in_url"],
    ["http://127.0.0.1:0/", "blocked_port"],
    ["ftp://127.0.0.1/", "not_https"],
  ])("still rejects %s as %s", async (url, reason) => {
    expect(await judge(url, local)).toEqual({ ok: false, reason });
  });

  it("rejects a name that resolves to loopback", async () => {
    const verdict = await judge("https://example.com/", {
      allowLocal: true,
      resolve: answering("127.0.0.1"),
    });
    expect(verdict).toEqual({ ok: false, reason: "not_public" });
  });
});

describe("the edges of the special-purpose ranges", () => {
  it.each([
    ["1.0.0.0", true],
    ["9.255.255.255", true],
    ["11.0.0.0", true],
    ["100.63.255.255", true],
    ["100.128.0.0", true],
    ["172.15.255.255", true],
    ["172.32.0.0", true],
    ["198.17.255.255", true],
    ["198.20.0.0", true],
    ["223.255.255.255", true],
    ["1fff:ffff::1", false],
    ["2000::1", true],
    ["2001:1ff::1", false],
    ["2001:200::1", true],
    ["3fff:1000::1", true],
    ["127.1", false],
    ["", false],
  ])("%s is public: %s", (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected);
  });
});
