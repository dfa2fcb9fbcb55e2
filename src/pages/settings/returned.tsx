import { reviewLink } from "../../review/access/share-url.ts";
import { problemText } from "../../review/returned-mails/problem-texts.ts";
import { maxReturnedShown, type ReturnedDeliverable } from "../../review/returned-mails/read-returned.ts";
import { Note } from "../parts/card.tsx";
import { clientPage } from "./client.tsx";
import type { C } from "./page-context.ts";

/** Lists reviews whose e-mail bounced. `withClient` adds each client's name and a link to change the address. */
export const ReturnedNote = ({
  c,
  returned,
  withClient = false,
}: {
  c: C;
  returned: readonly ReturnedDeliverable[];
  withClient?: boolean;
}) =>
  returned.length > 0 && (
    <Note tone="bad" heading={headingOf(returned.length)}>
      {returned.map(({ title, shareUrl, clientId, clientName, problem }) => (
        <p>
          <a href={reviewLink("", shareUrl)} dir="auto">
            {title}
          </a>
          {withClient && (
            <>
              {" "}
              for <bdi>{clientName}</bdi>
            </>
          )}
          . <bdi>{problemText(problem)}</bdi>{" "}
          {withClient && <a href={clientPage(c, clientId)}>Check the address</a>}
        </p>
      ))}
    </Note>
  );

const headingOf = (count: number): string => {
  if (count === 1) return "One review e-mail failed";
  return `${count < maxReturnedShown ? "" : "At least "}${count} review e-mails failed`;
};
