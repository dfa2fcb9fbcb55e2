/**
 * Where the demo workspace's webhooks go: the local service answers them itself (development/). `localhost` rather than
 * the number, so that they share no limit by host with receivers of yours.
 */
export function receiversAt(baseUrl: string): string {
  const { port } = new URL(baseUrl);
  return `http://localhost:${port}/dev/receivers`;
}
