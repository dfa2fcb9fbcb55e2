import { logoPath } from "../../workspace/brands/addresses.ts";
import type { Session } from "../../workspace/sessions/find-session.ts";
import { CenteredPage } from "../layout.tsx";
import { Mark } from "../parts/avatar.tsx";
import { Icon } from "../parts/icon.tsx";
import { planName } from "./sidebar.tsx";

const roleNames = { owner: "Owner", admin: "Admin", member: "Member", none: "" } as const;

/** The start page for an admin of several workspaces. */
export const WorkspacesPage = ({ session }: { session: Session }) => (
  <CenteredPage title="Choose a workspace">
    <h1>Choose a workspace</h1>
    <ul class="card flush places">
      {session.workspaces.map(({ slug, name, role, plan, brand }) => (
        <li>
          <a href={`/settings/${slug}`}>
            <Mark name={name} logo={logoPath(brand)} />
            <span>
              <bdi>{name}</bdi>{" "}
              <small>
                {slug} · {roleNames[role]} · {planName(plan)}
              </small>
            </span>
            <Icon name="chevronRight" />
          </a>
        </li>
      ))}
    </ul>
    <p class="foot">
      Signed in as {session.email} · <a href="/sign-out">Sign out</a>
    </p>
  </CenteredPage>
);
