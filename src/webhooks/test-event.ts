/** The event name of a test for no particular event; tests of other events are also stored under it. */
export const testEvent = "endpoint.test";
