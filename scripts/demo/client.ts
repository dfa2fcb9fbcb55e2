export class DemoClient {
  readonly #cookies = new Map<string, string>();
  #page = "";
  #path = "";
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  get page(): string {
    return this.#page;
  }

  async open(address: string): Promise<number> {
    return this.#show(await this.#fetch(address));
  }

  /** Fills in and submits the form with this `action`. */
  async send(action: string, fields: Record<string, string>): Promise<number> {
    const [, form = ""] = new RegExp(`<form[^>]*/${action}"[^>]*>(.*?)</form>`, "s").exec(this.#page) ?? [];
    const body = new URLSearchParams(fields);
    for (const [, name = "", value = ""] of form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g))
      body.set(name, value);
    return this.#show(await this.#fetch(`${this.#path}/${action}`, { method: "POST", body }));
  }

  async #fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie, origin: this.#origin };
    const response = await fetch(new URL(address, this.#origin), { ...init, headers, redirect: "manual" });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.#cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (!location) return response;
    this.#path = location.replace(/[#?].*$/, "");
    return this.#fetch(location);
  }

  async #show(response: Response): Promise<number> {
    this.#page = await response.text();
    return response.status;
  }
}
