import { logoPath } from "../../workspace/brands/addresses.ts";
import { Avatar, Mark } from "../parts/avatar.tsx";
import { Button } from "../parts/button.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { NamePlate } from "../parts/mark.tsx";
import { baseOf, type C, sectionPath } from "./page-context.ts";

/** The menu by group: each page with its path below `/settings/{slug}`, its name and its icon. */
const groups: readonly [group: string, links: readonly [path: string, text: string, icon: IconName][]][] = [
  [
    "API",
    [
      ["", "Overview", "chartColumn"],
      ["/tokens", "Tokens", "key"],
      ["/requests", "Requests", "list"],
    ],
  ],
  [
    "Webhooks",
    [
      ["/webhooks", "Endpoints", "webhook"],
      ["/deliveries", "Deliveries", "send"],
    ],
  ],
  [
    "Workspace",
    [
      ["/members", "Members", "users"],
      ["/brand", "Brand", "palette"],
      ["/reminders", "Reminders", "clock"],
      ["/plan", "Plan", "gauge"],
      ["/audit-log", "Activity", "history"],
      ["/export", "Export", "download"],
    ],
  ],
];

/** The navigation: next to the page or, on a phone, in a popover, which needs no JavaScript. */
export const Side = ({ c }: { c: C }) => (
  <nav class="side" id="menu" popover="auto" aria-label="Settings">
    <NamePlate href="/" />
    <Workspace c={c} />
    {groups.map(([name, links]) => (
      <div>
        <h2>{name}</h2>
        <ul>
          {links
            .filter(([path]) => path !== "/export" || c.get("workspace").role === "owner")
            .map(([path, text, icon]) => (
              <li>
                <a
                  href={baseOf(c) + path}
                  aria-current={baseOf(c) + path === sectionPath(c) ? "page" : undefined}
                >
                  <Icon name={icon} />
                  {text}
                  {path === "/webhooks" && c.get("isFailing") && (
                    <span class="dot">
                      <span class="unseen">failing</span>
                    </span>
                  )}
                </a>
              </li>
            ))}
        </ul>
      </div>
    ))}
    <div>
      <h2>Help</h2>
      <ul>
        <li>
          <a href="/docs">
            <Icon name="bookOpen" />
            Documentation
          </a>
        </li>
      </ul>
    </div>
    <Person c={c} />
  </nav>
);

/** The workspace, with a link to others if there are any. */
const Workspace = ({ c }: { c: C }) => {
  const { name, plan, brand } = c.get("workspace");
  const content = (
    <>
      <Mark name={name} logo={logoPath(brand)} />
      <span>
        <bdi>{name}</bdi>
        <small>{planName(plan)} plan</small>
      </span>
    </>
  );
  return c.get("session").workspaces.length > 1 ? (
    <a class="workspace" href="/settings" title="Other workspaces">
      {content}
      <Icon name="chevronsUpDown" />
    </a>
  ) : (
    <div class="workspace">{content}</div>
  );
};

const Person = ({ c }: { c: C }) => {
  const { email, person } = c.get("workspace");
  return (
    <div class="person">
      <Avatar name={person ?? email} />
      <span>
        {person && (
          <strong>
            <bdi>{person}</bdi>
          </strong>
        )}
        <small>{email}</small>
      </span>
      <Button kind="bare" icon="logOut" href="/sign-out" label="Sign out" />
    </div>
  );
};

export const PhoneBar = ({ c }: { c: C }) => {
  const { name, brand } = c.get("workspace");
  return (
    <header class="phone-bar">
      <Button kind="bare" icon="menu" type="button" popovertarget="menu" label="Menu" />
      <Mark name={name} logo={logoPath(brand)} />
      <bdi>{name}</bdi>
    </header>
  );
};

export const planName = (plan: string): string => plan.charAt(0).toUpperCase() + plan.slice(1);
