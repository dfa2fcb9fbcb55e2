import { expect, it } from "vitest";
import { placeBox } from "./place-box.js";

const box = { width: 350, height: 300 };

it.each([
  ["right of the pin", 900, { x: 100, y: 400 }, { x: 136, y: 376 }],
  ["left of a pin near the right edge", 900, { x: 700, y: 400 }, { x: 338, y: 376 }],
  ["above the bottom of the window", 900, { x: 100, y: 780 }, { x: 136, y: 488 }],
  ["below the pin if neither side has room", 540, { x: 270, y: 200 }, { x: 95, y: 212 }],
  [
    "above the pin if there is no room on either side or below it",
    540,
    { x: 360, y: 600 },
    { x: 178, y: 264 },
  ],
])("a pin's box opens %s [P21]", (_where, width, pin, place) => {
  expect(placeBox(pin, box, { left: 12, right: 12 + width - 24, top: 12, bottom: 788 })).toEqual(place);
});
