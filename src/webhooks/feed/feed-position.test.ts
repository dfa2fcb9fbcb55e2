import fc from "fast-check";
import { expect, it } from "vitest";
import { feedStart, numbersOf, positionFrom, positionOfEvent } from "./feed-position.ts";

const event = { sequence: 2_500_000_000, id: "0a1b2c3d-4e5f-4a6b-8c7d-0123456789ab", created_at: "" };
const time = fc.date({ min: new Date(1), max: new Date("2099-12-31"), noInvalidDate: true });

it("a feed position is encoded as two safe integers and decoded again", () => {
  fc.assert(
    fc.property(time, fc.nat(), fc.uuid(), (date, sequence, id) => {
      const place = positionOfEvent({ sequence, id, created_at: date.toISOString() });
      expect(positionFrom(...numbersOf(place))).toEqual(place);
      expect(numbersOf(place).every(Number.isSafeInteger)).toBe(true);
    }),
  );
  expect(positionFrom(...numbersOf(feedStart))).toEqual(feedStart);
});

it("a position from the previous release, which has no id, can be decoded", () => {
  expect(positionFrom(Date.UTC(2026, 0, 31), 7)).toEqual({
    sequence: 7,
    at: "2026-01-31T00:00:00.000Z",
    idStart: "",
  });
});

it("an encoded position omits an id that is not a UUID and a sequence number of more than 32 bits", () => {
  const at = "2026-01-31T09:30:00.000Z";
  const unusual = positionOfEvent({ ...event, id: "Event 1", created_at: at });
  expect(positionFrom(...numbersOf(unusual))).toEqual({ sequence: event.sequence, at, idStart: "" });
  const late = positionOfEvent({ ...event, sequence: 2 ** 32, created_at: at });
  expect(positionFrom(...numbersOf(late))).toEqual({ sequence: 0, at, idStart: "0a1b2" });
});

it("numbers without a valid time are decoded as null", () => {
  expect(positionFrom(Number.MAX_SAFE_INTEGER, 1)).toBeNull();
});
