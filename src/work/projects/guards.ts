import { sql } from "drizzle-orm";
import { stampParent } from "../../db/guards.ts";
import { after, type Statement } from "../../db/trigger.ts";
import { milestones, projects, revisionOverrides } from "./tables.ts";

export const projectsGuards: readonly Statement[] = [
  ...stampParent(milestones, projects, "project_id", {
    parent: "project",
    shown: ["project_id", "name", "position", "status", "due_date", "amount_minor"],
  }),
  after(revisionOverrides, "INSERT", "count", ({ NEW }) => ({
    do: sql`UPDATE ${projects} SET overridden_revision_rounds = overridden_revision_rounds + ${NEW.rounds}
      WHERE id = ${NEW.project_id}`,
  })),
];
