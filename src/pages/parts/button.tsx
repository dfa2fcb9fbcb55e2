import type { Child } from "hono/jsx";
import { Icon, type IconName } from "./icon.tsx";

export type ButtonKind = "quiet" | "bare" | "brand" | "good" | "warn" | "bad" | "bad-quiet";

interface ButtonOptions {
  /** Absent for the view's primary button. */
  kind?: ButtonKind | undefined;
  size?: "slim" | "large";
  icon?: IconName;
  /** Makes it a link that looks like a button. Without `href`, the button submits its form. */
  href?: string;
  /** The label for a button that shows only an icon. */
  label?: string;
  /** All other attributes are passed on to the element. */
  [attribute: string]: unknown;
  children?: Child;
}

export const Button = ({ kind, size, icon, href, label, children, ...rest }: ButtonOptions) => {
  const classes = ["button", kind, size, label && "only-icon"].filter(Boolean).join(" ");
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {children}
    </>
  );
  return href === undefined ? (
    <button type="submit" class={classes} aria-label={label} {...rest}>
      {content}
    </button>
  ) : (
    <a class={classes} href={href} aria-label={label} {...rest}>
      {content}
    </a>
  );
};
