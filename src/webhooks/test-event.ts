/** The event name of a test. Tests with an example of another event are also stored under it. */
export const testEvent = "endpoint.test";
