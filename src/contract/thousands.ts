/** Formats 16384 as 16,384. An `Intl` formatter would load its data, which takes 3% of the Worker's start-up time. */
export const thousands = (whole: number): string => String(whole).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
