import { WorkerEntrypoint } from "cloudflare:workers";
import { AdminRefusal, adminsOnly, apiAccessIsPaid, deny, toldToAdmin } from "../contract/admin-refusals.ts";
import { describeIssue } from "../contract/describe-issue.ts";
import { Refusal } from "../contract/failures.ts";
import { batch, run } from "../db/query.ts";
import { findMember, findOwner, isAdmin } from "../domain/organizations/members.ts";
import { findOrganization } from "../domain/organizations/organization.ts";
import { report } from "../platform/report.ts";
import type { AdminServices, Operation, OperationContext, WorkspaceOperation } from "./operation.ts";
import { operations } from "./operations.ts";
import { refusedByDatabase } from "./refused-by-database.ts";

export type Outcome = { ok: true; result: object } | { ok: false; message: string; hint: string | null };

type Fields = Readonly<Record<string, unknown>>;

/** The door for admins: reachable by a service binding alone, so that whoever holds the platform's keys may knock. */
export function adminEntrypoint(servicesOf: (env: Env) => AdminServices) {
  return class extends WorkerEntrypoint<Env> {
    /** Runs one operation (CONTRACT 7). Of `fields`, `organization` and `actor` say where and as whom. */
    async run(name: string, fields: Fields): Promise<Outcome> {
      const services = servicesOf(this.env);
      const wake = (organizationId: string) => this.ctx.waitUntil(services.wakeWebhooks(organizationId));
      try {
        const result = await runOperation(name, fields, services, wake);
        if (result instanceof AdminRefusal) return refused(result);
        if (result instanceof Refusal) return refused(toldToAdmin(result));
        return { ok: true, result };
      } catch (error) {
        const refusal = refusedByDatabase(error);
        if (refusal) return refused(refusal);
        report({ operation: name }, error);
        return refused(deny("Unexpected error"));
      }
    }
  };
}

const refused = ({ message, hint }: AdminRefusal): Outcome => ({ ok: false, message, hint });

async function runOperation(
  name: string,
  { organization, actor, ...fields }: Fields,
  services: AdminServices,
  wake: (organizationId: string) => void,
) {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation) return deny(`Unknown operation: ${name}`, `one of ${namesOf().join(", ")}`);
  if (operation.kind === "platform") {
    const input = validate(operation, fields);
    return input instanceof AdminRefusal
      ? input
      : answerOf(operation, await operation.run({ services }, input));
  }
  const context = await enter(operation, organization, actor, services);
  if (context instanceof AdminRefusal) return context;
  const input = validate(operation, fields);
  if (input instanceof AdminRefusal) return input;
  const result = await operation.run(context, input);
  if (operation.wakesWebhooks) wake(context.organization.id);
  return answerOf(operation, result);
}

const answerOf = ({ answer }: Operation, result: object) =>
  result instanceof AdminRefusal || result instanceof Refusal ? result : (answer.parse(result) as object);

const namesOf = () => Object.entries(operations).flatMap(([name, { unlisted }]) => (unlisted ? [] : [name]));

/** The workspace and the admin; refused if there is no such workspace, no such admin, or the plan has no API access. */
async function enter(
  operation: WorkspaceOperation,
  idOrSlug: unknown,
  email: unknown,
  services: AdminServices,
): Promise<OperationContext | AdminRefusal> {
  if (typeof idOrSlug !== "string" || idOrSlug === "") return deny("organization is required (slug or id)");
  const organization = await run(services.db, findOrganization(idOrSlug));
  if (!organization) return deny(`There is no organization ${idOrSlug}`);
  if (email !== undefined && (typeof email !== "string" || email === ""))
    return deny("actor must be an e-mail address");
  const [actor] = await batch(services.db, [
    email === undefined ? findOwner(organization.id) : findMember(organization.id, email),
  ]);
  if (!actor || !isAdmin(actor)) return adminsOnly(operation.action);
  if (operation.needsApiAccess && !organization.api_access) return apiAccessIsPaid();
  return { services, db: services.db, organization, actor };
}

function validate({ input }: Operation, fields: Fields): unknown {
  const parsed = input.safeParse(fields, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  const known = Object.keys(input.shape).join(", ");
  const hint = issue?.code === "unrecognized_keys" ? `fields: ${known || "none"}` : undefined;
  return deny(issue?.message ?? "The fields are not valid", hint);
}
