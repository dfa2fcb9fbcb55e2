/**
 * The base URL of the demo workspace's webhook receivers, which the local service hosts (development/). It uses
 * `localhost` instead of the IP address, so that your own receivers do not share its rate limit.
 */
export function receiversAt(baseUrl: string): string {
  const { port } = new URL(baseUrl);
  return `http://localhost:${port}/dev/receivers`;
}
