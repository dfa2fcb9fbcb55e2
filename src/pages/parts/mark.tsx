import { raw } from "hono/html";
import { createContext, useContext } from "hono/jsx";
import { mark } from "../mark.ts";

/** The service's name, from the variable `SERVICE_NAME` (contract S24). */
export const ServiceName = createContext("");

export const NamePlate = ({ href }: { href?: string }) => {
  const content = (
    <>
      {raw(mark)}
      {useContext(ServiceName)}
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
