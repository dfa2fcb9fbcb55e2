/** The header that names the cell for a development request, whatever the request's path. */
export const cellHeader = "x-development-door";
