/** The event name of a test that names no event; tests of other events are also kept under it. */
export const testEvent = "endpoint.test";
