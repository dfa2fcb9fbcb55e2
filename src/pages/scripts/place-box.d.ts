interface Spot {
  x: number;
  y: number;
}

export declare function placeBox(
  pin: Spot,
  box: { width: number; height: number },
  room: { left: number; right: number; top: number; bottom: number },
): Spot;
