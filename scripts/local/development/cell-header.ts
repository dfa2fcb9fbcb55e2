/** A header with the name of the cell that a development request goes to, no matter which path it has. */
export const cellHeader = "x-development-door";
