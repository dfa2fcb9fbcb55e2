/**
 * Where the demo workspace's webhooks go: the local service receives them itself (development/). `localhost` rather
 * than the number, so that they share no limit by host with your receivers.
 */
export function receiversAt(baseUrl: string): string {
  const { port } = new URL(baseUrl);
  return `http://localhost:${port}/dev/receivers`;
}
