import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

/** The behavior for a path's first segment. `argument` is the second segment; `visit` numbers the requests from 1. */
type Behavior = (response: ServerResponse, argument: string, visit: number) => void;

const hour = 3_600_000;
const kib = 1024;

/** 64 MiB of zeros, compressed to about 64 KiB. Created on first use. */
let bomb: Buffer | undefined;

const retryAfters: Record<string, () => string> = {
  seconds: () => "120",
  date: () => new Date(Date.now() + hour).toUTCString(),
  past: () => new Date(Date.now() - hour).toUTCString(),
  negative: () => "-5",
  garbage: () => "in a while",
  huge: () => "99999999999999999999",
};

/** Calls `write` until the sender disconnects. */
function repeat(response: ServerResponse, everyMs: number, write: () => void): void {
  const timer = setInterval(write, everyMs);
  response.on("close", () => clearInterval(timer));
}

export const behaviors: Record<string, Behavior> = {
  /** /status/<code> */
  status: (response, code) => {
    response.statusCode = Number(code);
    response.end(`answered ${code}`);
  },
  /** /echo/<name>: 500 with the value of this request header. */
  echo: (response, name) => {
    response.statusCode = 500;
    response.end(`key ${response.req.headers[name]} is not known`);
  },
  /** /sequence/<code>,<code>,…: the statuses in order, with the last one repeated. */
  sequence: (response, codes, visit) => {
    const list = codes.split(",");
    response.statusCode = Number(list[Math.min(visit, list.length) - 1]);
    response.end();
  },
  /** /redirect/<code>: redirects to /status/200/redirected, which must never be requested. */
  redirect: (response, code) => {
    response.writeHead(Number(code), { location: "/status/200/redirected" }).end();
  },
  /** /retry-after/<code>,<which>: 429 or 503 with one of the hints above. */
  "retry-after": (response, argument) => {
    const [code, which = ""] = argument.split(",");
    response.writeHead(Number(code), { "retry-after": retryAfters[which]?.() ?? which }).end();
  },
  /** /slow/<milliseconds>: 200 after this delay. */
  slow: (response, delayMs) => {
    const timer = setTimeout(() => response.end("late"), Number(delayMs));
    response.on("close", () => clearTimeout(timer));
  },
  /** 200 with an endless body, one byte every 100 ms. */
  drip: (response) => {
    response.flushHeaders();
    repeat(response, 100, () => response.write("."));
  },
  /** 200 with a few bytes of a body that does not end. */
  unfinished: (response) => {
    response.write("to be continued");
  },
  /** 200 with an endless body, as fast as the sender reads it. */
  endless: (response) => {
    const chunk = Buffer.alloc(16 * kib, "x");
    const fill = () => {
      while (response.write(chunk));
    };
    response.on("drain", fill);
    fill();
  },
  huge: (response) => {
    response.end(Buffer.alloc(5 * kib * kib, "h"));
  },
  "gzip-bomb": (response) => {
    bomb ??= gzipSync(Buffer.alloc(64 * kib * kib));
    response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
  },
  /** 200 with a body that claims to be gzip but is not. */
  "broken-gzip": (response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end("this is not gzip");
  },
  /** 200 with bytes that are not valid UTF-8. */
  binary: (response) => {
    response.end(Buffer.from([0x6f, 0x6b, 0x00, 0xff, 0xc3, 0x28]));
  },
  /** 200 with 2-byte characters, one of which is split by the log's 2 KiB limit. */
  accents: (response) => {
    response.end(`x${"é".repeat(2 * kib)}`);
  },
  reset: (response) => {
    response.socket?.resetAndDestroy();
  },
  /** 200 with a Content-Length of 1,000 that closes after five bytes. */
  half: (response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write("hello", () => response.socket?.destroy());
  },
  nonsense: (response) => {
    response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n");
  },
};
