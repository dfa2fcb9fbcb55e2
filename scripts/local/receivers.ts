/**
 * The receivers of the demo workspace's webhooks: one takes everything, one has moved away and refuses. `localhost`
 * rather than the number, so that they share no limit by host with receivers of yours.
 */
export const receiversPath = "/dev/receivers";

export function receiversAt(baseUrl: string): string {
  const { port } = new URL(baseUrl);
  return `http://localhost:${port}${receiversPath}`;
}

export function receive(path: string): Response {
  return path === `${receiversPath}/crm`
    ? Response.json({ ok: true })
    : new Response("Cannot POST /hooks/lumen", { status: 404 });
}
