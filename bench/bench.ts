import type { Database } from "./database.ts";
import type { Report } from "./report.ts";
import type { Server } from "./server.ts";

export interface Bench {
  server: Server;
  database: Database;
  progress(text: string): void;
}

export type Scenario = (bench: Bench) => Promise<Report>;
