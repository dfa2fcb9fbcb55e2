/** Names the cell that a request of development is for, whatever it is about. */
export const doorHeader = "x-development-door";
