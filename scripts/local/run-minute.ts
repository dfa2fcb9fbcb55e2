/** `wrangler dev` fires no cron by itself; this triggers one run, and resolves when its jobs have ended. */
export async function runMinute(baseUrl: string): Promise<void> {
  const response = await fetch(`${baseUrl}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`, { method: "POST" });
  await response.body?.cancel();
}
