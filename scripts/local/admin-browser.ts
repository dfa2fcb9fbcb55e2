import { readMail, sentMails } from "./mailbox.ts";

const mailWithinMs = 20_000;
const pollMs = 100;

export class AdminBrowser {
  readonly #origin: string;
  #cookie = "";

  constructor(origin: string) {
    this.#origin = origin;
  }

  async signIn(email: string): Promise<void> {
    const before = new Set((await sentMails(this.#origin)).map(({ messageId }) => messageId));
    await this.#post("/sign-in", { email });
    const response = await this.#post(await this.#mailedLink(before), {});
    const [cookie] = response.headers.getSetCookie();
    if (!cookie) throw new Error("the link signed nobody in");
    this.#cookie = cookie.split(";")[0] ?? "";
  }

  async #mailedLink(before: ReadonlySet<string>): Promise<string> {
    for (const until = Date.now() + mailWithinMs; Date.now() < until; ) {
      for (const { messageId } of await sentMails(this.#origin)) {
        if (before.has(messageId)) continue;
        const link = /^https?:\S+\/sign-in\/\S+$/m.exec((await readMail(this.#origin, messageId)).text)?.[0];
        if (link) return new URL(link).pathname;
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    throw new Error("no sign-in link was mailed");
  }

  async open(address: string): Promise<string> {
    const headers = { cookie: this.#cookie };
    return (await fetch(new URL(address, this.#origin), { headers, redirect: "manual" })).text();
  }

  /** Grants these scopes, and returns the URL of the redirect. */
  async connect(address: string, scopes: readonly string[]): Promise<string> {
    const { search, pathname } = new URL(address, this.#origin);
    const answer = await this.#post(
      pathname + search,
      scopes.map((scope): [string, string] => ["scope", scope]),
    );
    const location = answer.headers.get("location");
    if (!location) throw new Error(`not redirected: ${answer.status}`);
    return location;
  }

  #post(path: string, fields: Record<string, string> | [string, string][]): Promise<Response> {
    return fetch(new URL(path, this.#origin), {
      method: "POST",
      headers: { cookie: this.#cookie, origin: this.#origin },
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
  }
}
