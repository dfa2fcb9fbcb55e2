/**
 * The URL of the demo workspace's webhooks, which the local service itself receives (development/). The host is
 * `localhost` and not the IP address, so that your own receivers do not share its rate limit.
 */
export function receiversAt(baseUrl: string): string {
  const { port } = new URL(baseUrl);
  return `http://localhost:${port}/dev/receivers`;
}
