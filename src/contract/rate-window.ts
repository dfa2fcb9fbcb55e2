import { limits } from "./limits.ts";

/** Rate limits use fixed windows (contract R3). */
export const windowMs = limits.rateWindowSeconds * 1000;

/** Returns the whole seconds until the window ends, at least 1. */
export const secondsToReset = (nowMs: number): number => Math.ceil((windowMs - (nowMs % windowMs)) / 1000);
