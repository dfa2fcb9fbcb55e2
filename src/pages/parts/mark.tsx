import { AsyncLocalStorage } from "node:async_hooks";
import { raw } from "hono/html";
import { mark } from "../mark.ts";

/**
 * The service's name while a page renders, from the variable `SERVICE_NAME` (contract S24). A context of `hono/jsx`
 * would add its client-side renderer to the bundle.
 */
export const serviceName = new AsyncLocalStorage<string>();

export const NamePlate = ({ href }: { href?: string }) => {
  const content = (
    <>
      {raw(mark)}
      {serviceName.getStore()}
    </>
  );
  return href ? (
    <a class="name-plate" href={href}>
      {content}
    </a>
  ) : (
    <span class="name-plate">{content}</span>
  );
};

/** Shown on the pages that a workspace's clients see. */
export const PoweredBy = () => (
  <p class="powered-by">
    Powered by <NamePlate />
  </p>
);
