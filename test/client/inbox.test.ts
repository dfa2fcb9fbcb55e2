import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";

const { Inbox }: { Inbox: new () => { take(id: string, event: object): string } } = await import(
  join(import.meta.dirname, "..", "..", "examples", "receiver", "inbox.js")
);

describe("the example receiver's inbox", () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const about = (record: object, created_at = "2026-01-31T09:30:00.000Z") => ({ created_at, data: record });

  it.each(["invoice_id", "deliverable_id", "change_order_id", "deposit_id"])(
    "reports deliveries that arrive out of order for the same %s",
    (name) => {
      const inbox = new Inbox();
      const [newer, older] = ["2026-01-31T09:30:00.001Z", "2026-01-31T09:30:00.000Z"];
      expect(inbox.take("1", about({ [name]: "a" }, newer))).toBe("new");
      expect(inbox.take("2", about({ [name]: "b" }, older))).toBe("new");
      expect(inbox.take("3", about({ [name]: "a" }, older))).toBe("late");
      expect(inbox.take("4", about({ [name]: "a" }, newer))).toBe("new");
      expect(inbox.take("3", about({ [name]: "a" }, older))).toBe("duplicate");
    },
  );

  it("recognizes a repeated delivery for a day, even if its event names no record", () => {
    vi.useFakeTimers({ now: 0 });
    const inbox = new Inbox();
    const dayMs = 86_400_000;
    expect(inbox.take("1", about({}))).toBe("new");
    vi.setSystemTime(dayMs - 1);
    expect([inbox.take("2", about({})), inbox.take("1", about({}))]).toEqual(["new", "duplicate"]);
    vi.setSystemTime(dayMs);
    expect([inbox.take("1", about({})), inbox.take("2", about({}))]).toEqual(["new", "duplicate"]);
  });
});
