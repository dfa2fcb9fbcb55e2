/** A header with the name of the cell for a development request, whatever its path. */
export const cellHeader = "x-development-door";
