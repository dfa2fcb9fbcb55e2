import * as z from "zod";

/** Resolves all A and AAAA addresses of a name. Rejects if any lookup fails. */
export type Resolver = (host: string) => Promise<string[]>;

/** The addresses that webhooks may be sent to. */
export interface TargetOptions {
  /** Allows 127.0.0.0/8, ::1 and localhost, also over HTTP. For local development only. */
  allowLocal: boolean;
  resolve: Resolver;
}

/** The timeout for a lookup: well within an attempt's 5 s, and plenty for a public resolver. */
const deadlineMs = 2_000;

/** DNS record types and response code (RFC 1035, RFC 3596). */
const recordTypes = { A: 1, AAAA: 28 } as const;
const noError = 0;

/** The JSON form of a DNS response, as Cloudflare and Google return it. */
const DnsAnswer = z.object({
  Status: z.number(),
  TC: z.boolean().optional(),
  Answer: z.array(z.object({ type: z.number(), data: z.string() })).optional(),
});

/**
 * Creates a resolver that uses DNS over HTTPS. The server follows aliases and returns the final records with them.
 * Rejects on a status other than 200, a response code other than NOERROR, a truncated response or a timeout.
 */
export function dnsOverHttps(fetcher: typeof fetch, endpoint: string): Resolver {
  return async (host) => {
    const signal = AbortSignal.timeout(deadlineMs);
    const answers = await Promise.all(
      (["A", "AAAA"] as const).map((type) => query(fetcher, endpoint, host, type, signal)),
    );
    return answers.flat();
  };
}

async function query(
  fetcher: typeof fetch,
  endpoint: string,
  host: string,
  type: keyof typeof recordTypes,
  signal: AbortSignal,
): Promise<string[]> {
  const url = new URL(endpoint);
  url.searchParams.set("name", host);
  url.searchParams.set("type", type);
  const response = await fetcher(url.href, {
    headers: { accept: "application/dns-json" },
    redirect: "manual",
    signal,
  });
  if (response.status !== 200) throw new Error(`The DNS resolver returned the status ${response.status}`);
  const answer = DnsAnswer.parse(await response.json());
  if (answer.Status !== noError) throw new Error(`The DNS resolver returned the code ${answer.Status}`);
  if (answer.TC) throw new Error("The DNS resolver's answer was truncated");
  return (answer.Answer ?? []).filter((record) => record.type === recordTypes[type]).map(({ data }) => data);
}
