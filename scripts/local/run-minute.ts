/** Triggers a cron run, because `wrangler dev` does not, and waits for its jobs to finish. */
export async function runMinute(baseUrl: string): Promise<void> {
  const response = await fetch(`${baseUrl}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`, { method: "POST" });
  await response.body?.cancel();
}
