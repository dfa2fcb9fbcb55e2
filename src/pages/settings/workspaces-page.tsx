import type { Session } from "../../workspace/sessions/find-session.ts";
import { PageShell } from "../layout.tsx";

/** Where somebody lands who is an admin of several workspaces. */
export const WorkspacesPage = ({ session }: { session: Session }) => (
  <PageShell title="Your workspaces" brand="Settings" aside={<a href="/sign-out">Sign out</a>}>
    <div class="sheet">
      <h1>Your workspaces</h1>
      <ul>
        {session.workspaces.map(({ slug, name }) => (
          <li>
            <a href={`/settings/${slug}/tokens`}>
              <bdi>{name}</bdi> <span class="muted">{slug}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  </PageShell>
);
