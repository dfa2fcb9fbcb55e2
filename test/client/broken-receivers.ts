import { everyEvent } from "../../client/cli/certify/receiver.ts";

/** A common mistake, made in a copy of examples/receiver: a string in receiver.js and its replacement. */
export type Mistake = readonly [text: string, instead: string];

const verify = "event = webhook.verify(body, request.headers);";
const inVerification = `${verify}
  } catch {`;
const verified = "const verdict = inbox.take";
const begin = "const body = await rawBody(request)";
const answer = "response.writeHead(204).end();";
const header = (name: string) => `request.headers["${name}"]`;
const signature = header("webhook-signature");
const id = header("webhook-id");

/** Accepts any timestamp but still checks the signature. */
const anyTime = (message: string): Mistake => [
  inVerification,
  `${verify}
  } catch (error) {
    const sentAt = new Date(Number(${header("webhook-timestamp")}) * 1000);
    const isOurs = error.message === "${message}" && webhook.sign(${id}, sentAt, body) === ${signature};
    if (isOurs) event = JSON.parse(body);
    else`,
];

const hmac = `(await import("node:crypto")).createHmac("sha256", process.env.WEBHOOK_SECRET).update(body)`;

export const mistakes: Record<string, Mistake> = {
  valid: [
    begin,
    `if (!server.warm) { server.warm = true; return response.writeHead(503).end(); }\n  ${begin}`,
  ],
  every_event: [
    verified,
    `if (event.event.startsWith("change_order.")) return response.writeHead(501).end();\n  ${verified}`,
  ],
  legacy_retired: [
    begin,
    `if (!${header("x-svc-signature")}) return response.writeHead(400).end();\n  ${begin}`,
  ],
  rotation_new_secret: [
    verify,
    `event = webhook.verify(body, { ...request.headers, "webhook-signature": ${signature}?.split(" ").at(-1) });`,
  ],
  rotation_old_secret: [
    verify,
    `const first = ${signature}?.split(" ").find((text) => text.startsWith("v1,"));
    event = webhook.verify(body, { ...request.headers, "webhook-signature": first });`,
  ],
  unknown_scheme: [
    verify,
    `if (!${signature}.split(" ").every((text) => text.startsWith("v1,"))) throw new Error("unknown scheme");
    ${verify}`,
  ],
  unknown_event: [
    verified,
    `const known = ${JSON.stringify(everyEvent)};
  if (!known.includes(event.event)) return response.writeHead(422).end();
  ${verified}`,
  ],
  unknown_fields: [
    verified,
    `if (Object.keys(event).length > 3) return response.writeHead(422).end();\n  ${verified}`,
  ],
  huge_body: [
    "let event;",
    "if (body.length > 100 * 1024) return response.writeHead(413).end();\n  let event;",
  ],
  raw_bytes: [verify, "event = webhook.verify(JSON.stringify(JSON.parse(body)), request.headers);"],
  unicode: ['toString("utf8")', 'toString("latin1")'],
  duplicate: [
    verified,
    `server.signatures ??= new Set();
  if (server.signatures.has(${signature})) return response.writeHead(409).end();
  server.signatures.add(${signature});
  ${verified}`,
  ],
  replay: [
    verified,
    `server.times ??= new Map();
  const time = ${header("webhook-timestamp")};
  if ((server.times.get(${id}) ?? time) !== time) return response.writeHead(409).end();
  server.times.set(${id}, time);
  ${verified}`,
  ],
  reordered: [answer, `if (verdict === "late") return response.writeHead(409).end();\n  ${answer}`],
  retry_after_failure: [
    begin,
    `server.begun ??= new Set();
  if (server.begun.has(${id})) return response.writeHead(409).end();
  server.begun.add(${id});
  response.on("finish", () => server.begun.delete(${id}));
  ${begin}`,
  ],
  burst: [
    verified,
    `server.open = (server.open ?? 0) + 1;
  response.on("finish", () => { server.open -= 1; });
  if (server.open > 10) return response.writeHead(503).end();
  await new Promise((resolve) => setTimeout(resolve, 100));
  ${verified}`,
  ],
  unsigned: [
    verify,
    `if (${signature} || ${header("x-svc-signature")}) ${verify}\n    else event = JSON.parse(body);`,
  ],
  legacy_only: [
    verify,
    `if (!${signature} && ${header("x-svc-signature")} === "sha256=" + ${hmac}.digest("hex")) event = JSON.parse(body);
    else ${verify}`,
  ],
  wrong_signature: [
    inVerification,
    `try { ${verify} } catch {
      event = new Webhook("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=").verify(body, request.headers);
    }
  } catch {`,
  ],
  altered_body: [
    "let event;",
    `server.known ??= new Set();
  if (server.known.has(${id})) return response.writeHead(204).end();
  response.on("finish", () => response.statusCode === 204 && server.known.add(${id}));
  let event;`,
  ],
  stale: anyTime("Message timestamp too old"),
  future: anyTime("Message timestamp too new"),
  answer_in_time: [
    verified,
    `if (event.event === "deposit.cleared") await new Promise((resolve) => setTimeout(resolve, 5_500));\n  ${verified}`,
  ],
};
