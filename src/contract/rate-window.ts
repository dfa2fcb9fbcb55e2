import { limits } from "./limits.ts";

/** The rate limit's windows are fixed: each begins where the one before ends (contract R3). */
export const windowMs = limits.rateWindowSeconds * 1000;

/** Whole seconds to the end of the window, at least 1. */
export const secondsToReset = (nowMs: number): number => Math.ceil((windowMs - (nowMs % windowMs)) / 1000);
