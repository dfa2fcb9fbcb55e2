import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";

/** Runs the script in a fake page with only what the script uses. test/browser tests real pages. */

const code = readFileSync(join(import.meta.dirname, "live.js"), "utf8");

interface Part {
  dataset: Record<string, string>;
  innerHTML: string;
}
interface Answer {
  live?: Part | null;
  steps?: Part | null;
  ok?: boolean;
  url?: string;
}

/** A part of a page that counts how often it was updated. */
function part(innerHTML: string, dataset: Record<string, string> = {}) {
  let html = innerHTML;
  return {
    dataset,
    writes: 0,
    get innerHTML() {
      return html;
    },
    set innerHTML(text: string) {
      html = text;
      this.writes += 1;
    },
  };
}

/** Runs the script in a page with this live part. Each fetch gets the next response; the last one repeats. */
function open(live: Part | null, answers: readonly (Answer | Error)[] = []) {
  const timers: { run: () => Promise<void>; ms: number }[] = [];
  const asked: { address: string; method: string; body: string }[] = [];
  const listeners: ((event: object) => void)[] = [];
  const left: string[] = [];
  const dispatched: string[] = [];
  runInNewContext(code, {
    URLSearchParams,
    WeakMap,
    Event,
    location: { href: "https://pages.example/", assign: (address: string) => left.push(address) },
    document: {
      querySelector: () => live,
      addEventListener: (_: string, listen: () => void) => listeners.push(listen),
      dispatchEvent: ({ type }: Event) => dispatched.push(type),
    },
    setTimeout: (run: (times: number) => Promise<void>, ms: number, times: number) =>
      timers.push({ run: () => run(times), ms }),
    FormData: class {
      constructor(form: { innerHTML: string }) {
        // biome-ignore lint/correctness/noConstructorReturn: a form's fields are those that its text names.
        return Object.entries({ position: form.innerHTML });
      }
    },
    fetch: async (address: string, { method = "GET", body = "" } = {}) => {
      asked.push({ address, method, body: String(body) });
      const answer = answers[Math.min(asked.length, answers.length) - 1];
      if (answer instanceof Error || answer === undefined) throw answer;
      return { ok: answer.ok ?? true, status: 409, url: answer.url ?? "", text: async () => answer };
    },
    DOMParser: class {
      parseFromString({ live: fresh = null, steps = null }: Answer) {
        return { querySelector: (selector: string) => (selector === "[data-live]" ? fresh : steps) };
      }
    },
  });
  const submit = (target: object, timeStamp: number) => {
    let isPrevented = false;
    const event = {
      target,
      timeStamp,
      preventDefault: () => {
        isPrevented = true;
      },
    };
    for (const listen of listeners) listen(event);
    return isPrevented ? "kept back" : "sent";
  };
  /** Runs the timers until there are none left, and returns their delays. */
  const wait = async () => {
    const pauses: number[] = [];
    for (let timer = timers.shift(); timer; timer = timers.shift()) {
      pauses.push(timer.ms);
      await timer.run();
    }
    return pauses;
  };
  return { asked, left, dispatched, submit, wait };
}

describe("a page with a part that waits for an update", () => {
  it("is fetched every second for two minutes", async () => {
    const same = part("Pending", { live: "waiting" });
    const { asked, wait } = open(same, [{ live: part("Pending", { live: "waiting" }) }]);
    expect(await wait()).toEqual(Array(121).fill(1_000));
    expect(asked).toHaveLength(120);
    expect(new Set(asked.map(({ address }) => address))).toEqual(new Set(["https://pages.example/"]));
    expect(same.writes).toBe(0);
  });

  it("shows changes, and stops polling once nothing is pending", async () => {
    const shown = part("Pending", { live: "waiting" });
    const { asked, dispatched, wait } = open(shown, [
      { live: part("Failing", { live: "waiting" }) },
      { live: part("Failing", { live: "waiting" }) },
      {},
      { live: part("Delivered", { live: "done" }) },
    ]);
    await wait();
    expect([shown.innerHTML, shown.writes, asked.length]).toEqual(["Delivered", 2, 4]);
    expect(dispatched).toEqual(["fresh", "fresh"]);
  });

  it("keeps its content after a failed fetch, and is fetched again", async () => {
    const shown = part("Pending", { live: "waiting" });
    const wrong = part("Something went wrong", { live: "done" });
    const { wait } = open(shown, [
      new Error("offline"),
      { ok: false, live: wrong },
      { live: part("Delivered", { live: "done" }) },
    ]);
    await wait();
    expect([shown.innerHTML, shown.writes]).toEqual(["Delivered", 1]);
  });

  it.each([[null], [part("Delivered", { live: "done" })]])(
    "polls only while a part is waiting",
    async (live) => {
      const { asked, wait } = open(live);
      expect([await wait(), asked]).toEqual([[1_000], []]);
    },
  );
});

it("submits a form at most once in ten seconds, independently of other forms", () => {
  const { submit } = open(null);
  const [form, other] = [{ dataset: {} }, { dataset: {} }];
  expect([submit(form, 5), submit(form, 6), submit(other, 7)]).toEqual(["sent", "kept back", "sent"]);
  const pressed = [submit(form, 10_004), submit(form, 10_005), submit(form, 10_006)];
  expect(pressed).toEqual(["kept back", "sent", "kept back"]);
});

describe("a multi-step form", () => {
  const formOf = (answers: readonly (Answer | Error)[]) => {
    const button = { disabled: false };
    const sent: string[] = [];
    const form = Object.assign(part("1", { steps: "" }), {
      action: "https://pages.example/replay",
      querySelector: () => button,
      submit: () => sent.push("by hand"),
    });
    const states: boolean[] = [];
    const responses = answers.map((answer) => {
      if (answer instanceof Error) return answer;
      return {
        ...answer,
        get steps() {
          states.push(button.disabled);
          button.disabled = false;
          return answer.steps;
        },
      };
    });
    return { form, sent, states, button, page: open(null, responses) };
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it("submits each step's fields until the last step, and its button is disabled meanwhile", async () => {
    const { form, sent, states, button, page } = formOf([
      { steps: part("2") },
      { steps: part("3") },
      { url: "https://pages.example/replayed" },
    ]);
    expect(page.submit(form, 1)).toBe("kept back");
    expect(button.disabled).toBe(true);
    await settled();
    expect(page.asked).toEqual(
      ["1", "2", "3"].map((position) => ({
        address: "https://pages.example/replay",
        method: "POST",
        body: `position=${position}`,
      })),
    );
    expect(states).toEqual([true, true, true]);
    expect([form.innerHTML, page.left, sent]).toEqual(["3", ["https://pages.example/replayed"], []]);
  });

  it.each([[new Error("offline")], [{ ok: false, url: "https://pages.example/refused" }]])(
    "is submitted normally when a step fails, so that the error is shown",
    async (failure) => {
      const { form, sent, page } = formOf([{ steps: part("2") }, failure]);
      page.submit(form, 1);
      await settled();
      expect([sent, page.left]).toEqual([["by hand"], []]);
    },
  );
});
