const gap = 12;
/** A pin's number is drawn above and to the right of its spot. */
const number = 2 * gap;

const between = (least, value, most) => Math.max(Math.min(value, most), least);

/** Returns where a pin's box opens, in pixels: next to the pin, or above or below it if neither side has room. */
export function placeBox(pin, box, room) {
  const right = pin.x + number + gap;
  const left = pin.x - gap - box.width;
  const below = pin.y + gap;
  const above = pin.y - number - gap - box.height;
  const highest = { x: room.right - box.width, y: room.bottom - box.height };
  const beside = [right, left].find((x) => x >= room.left && x <= highest.x);
  if (beside !== undefined) return { x: beside, y: between(room.top, pin.y - number, highest.y) };
  return {
    x: between(room.left, pin.x - box.width / 2, highest.x),
    y: below <= highest.y ? below : Math.max(above, room.top),
  };
}
