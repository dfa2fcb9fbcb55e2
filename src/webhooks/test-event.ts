/** The event name of a test that names no event; tests of others are kept under it as well. */
export const testEvent = "endpoint.test";
