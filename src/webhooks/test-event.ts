/** The event name for tests. Tests with a sample of another event are also stored under this name. */
export const testEvent = "endpoint.test";
