import { directoryId } from "./cells.ts";

/** The path for running SQL statements in `wrangler dev`. */
const databases = "/cdn-cgi/local/explorer/api/d1/database";

/** Runs one statement in a local server's database, or in each cell's. */
export async function runSql(baseUrl: string, sql: string, ...params: string[]): Promise<void> {
  const { result } = (await (await fetch(baseUrl + databases)).json()) as { result: { uuid: string }[] };
  for (const { uuid } of result.filter((database) => database.uuid !== directoryId)) {
    const response = await fetch(`${baseUrl}${databases}/${uuid}/raw`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sql, params }),
    });
    if (!response.ok) throw new Error(await response.text());
  }
}
