/** Triggers a cron run, which `wrangler dev` does not do by itself, and waits for its jobs to end. */
export async function runMinute(baseUrl: string): Promise<void> {
  const response = await fetch(`${baseUrl}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`, { method: "POST" });
  await response.body?.cancel();
}
