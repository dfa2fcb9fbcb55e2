import { raw } from "hono/html";
import { createContext, useContext } from "hono/jsx";
import { mark } from "../mark.ts";

/** The service's name, as the variable `SERVICE_NAME` says (contract S24). */
export const ServiceName = createContext("");

/** The service, by its mark and name. */
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

/** On a page whose host is a workspace. */
export const PoweredBy = () => (
  <p class="powered-by">
    Powered by <NamePlate />
  </p>
);
