interface Spot {
  x: number;
  y: number;
}

export declare function boxPlace(
  pin: Spot,
  box: { width: number; height: number },
  room: { left: number; right: number; top: number; bottom: number },
): Spot;
