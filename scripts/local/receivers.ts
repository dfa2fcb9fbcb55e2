/**
 * Where the demo workspace's webhooks go: the local service receives them itself (development/). `localhost`
 * instead of the IP address, so that they share no host limit with your receivers.
 */
export function receiversAt(baseUrl: string): string {
  const { port } = new URL(baseUrl);
  return `http://localhost:${port}/dev/receivers`;
}
