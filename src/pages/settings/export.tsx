import { limits } from "../../contract/limits.ts";
import { Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import type { Context } from "../../core/context.ts";
import { batch, run } from "../../db/query.ts";
import { countExportSteps } from "../../lifecycle/count-export.ts";
import { filesOfExport, readmeOfExport } from "../../lifecycle/export-files.ts";
import {
  exportStep,
  imagesPosition,
  requestLogPosition,
  stepLimits,
} from "../../lifecycle/export-organization.ts";
import { report } from "../../platform/log.ts";
import { findMember } from "../../workspace/members/members.ts";
import { findOrganization } from "../../workspace/organizations/organization.ts";
import { planOf } from "../../workspace/organizations/plan-of.ts";
import { Button } from "../parts/button.tsx";
import { Card, Note } from "../parts/card.tsx";
import { Facts } from "../parts/figures.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { baseOf, type C } from "./page-context.ts";
import { sizeText } from "./plan.tsx";
import { refusedPage, show } from "./responses.tsx";
import { beginExport, type RunningExport } from "./run-export.ts";
import { SettingsPage } from "./settings-page.tsx";
import { type FilePart, zipped } from "./zip.ts";

/** A request to a Worker can make 1,000 subrequests. A step makes two, and every tenth step one more (contract S22). */
const maxSteps = 400;

const icons: Readonly<Record<string, IconName>> = { Work: "gauge", Reviews: "message", Settings: "wrench" };

const isOwner = (c: C) => c.get("workspace").role === "owner";

export async function showExport(c: C): Promise<Response> {
  if (!isOwner(c)) return refusedPage(c, refuse("export_owners_only"), baseOf(c));
  const room = await run(c.get("services").db, planOf(c.get("workspace").id));
  return show(
    c,
    <SettingsPage c={c} heading="Export" lede="All of this workspace's data, in one ZIP file.">
      <div class="two">
        <Card id="contents" heading="What you get">
          <ul class="listed">
            {filesOfExport.map(({ name, holds }) => (
              <li>
                <span class="step">
                  <Icon name={icons[name] ?? "history"} />
                </span>
                <div>
                  <strong>{name}</strong>
                  <small>{holds}</small>
                </div>
              </li>
            ))}
          </ul>
          <form method="post" action={`${baseOf(c)}/export`}>
            <Button icon="download">Export workspace</Button>
          </form>
        </Card>
        <div class="stack">
          <Note tone="warn" heading="It contains personal data">
            <p>Your clients' names, addresses and messages. Store the file securely.</p>
          </Note>
          <Card id="format" heading="How to read it">
            <Facts
              facts={[
                ["Start with", "README.txt, which describes each file"],
                ["Records", "A file for each kind; each line is one record as JSON"],
                ["Images", "As uploaded, in the folder images. Each version names its image"],
                [
                  "Not included",
                  "Tokens, secrets and review links, because they give access, and the API request log",
                ],
                ...(room ? [["Size", sizeOf(room)] as const] : []),
              ]}
            />
          </Card>
        </div>
      </div>
    </SettingsPage>,
  );
}

const sizeOf = ({ storage_bytes, record_count }: { storage_bytes: number; record_count: number }): string =>
  `${sizeText(storage_bytes / limits.bytesPerMegabyte)} of images, ${record_count.toLocaleString("en-GB")} records`;

export async function exportWorkspace(c: C): Promise<Response> {
  const context = isOwner(c) ? await contextOf(c) : refuse("export_owners_only");
  if (context instanceof Refusal) return refusedPage(c, context, baseOf(c));
  if ((await countExportSteps(context, stepLimits)) > maxSteps)
    return refusedPage(c, refuse("export_too_large"));
  const running = await beginExport(c);
  if (running instanceof Refusal) return refusedPage(c, running);
  const parts = zipped(partsOf(context, running));
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    // Writes one part at a time, at the reader's pace.
    async pull(controller) {
      try {
        const { value, done } = await parts.next();
        if (isCancelled) return;
        if (!done) return controller.enqueue(value);
        await running.end();
        controller.close();
      } catch (error) {
        // A truncated ZIP has no central directory, so it cannot be mistaken for a complete one.
        report({ failed: "export", organization_id: context.organization.id }, error);
        controller.error(error);
        await running.end();
      }
    },
    async cancel() {
      isCancelled = true;
      await parts.return(undefined);
      await running.end();
    },
  });
  const name = `${context.organization.slug}-${new Date().toISOString().slice(0, 10)}.zip`;
  return new Response(body, {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  });
}

type Exporting = Context<Staff, "db" | "images" | "coordinators", "slug">;

/** Builds the export's context, unless the person is no longer an owner. */
async function contextOf(c: C): Promise<Exporting | Refusal> {
  const { id, slug, email } = c.get("workspace");
  const services = c.get("services");
  const [member, organization] = await batch(services.db, [findMember(id, email), findOrganization(id)]);
  if (member?.role !== "owner") return refuse("export_owners_only");
  if (organization?.fence) return refuse("organization_is_moving");
  return { services, organization: { id, slug }, actor: { ...member, kind: "admin" }, request: undefined };
}

/** Throws if the workspace has moved to another cell, because then the export may lack rows. */
async function requireUnmoved({ services, organization }: Exporting): Promise<void> {
  const found = await run(services.db, findOrganization(organization.id));
  if (found === null || found.fence === "all") throw new Error(refuse("organization_is_moving").text);
}

async function* partsOf(context: Exporting, running: RunningExport): AsyncGenerator<FilePart> {
  const readme = readmeOfExport(context.organization.slug, new Date());
  for (let position: string | undefined; ; ) {
    await running.beginStep();
    const step = await exportStep(context, position);
    if (step instanceof Refusal) throw new Error(step.text);
    const { files, next } = step;
    if (position === undefined) yield { file: "README.txt", bytes: new TextEncoder().encode(readme) };
    for (const { file, text, base64 } of files)
      yield {
        file,
        bytes: base64 === null ? new TextEncoder().encode(text ?? "") : Uint8Array.fromBase64(base64),
      };
    if (next === null) return requireUnmoved(context);
    position = next === requestLogPosition ? imagesPosition : next;
  }
}
