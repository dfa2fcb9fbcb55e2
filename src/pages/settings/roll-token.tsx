import { limits } from "../../contract/limits.ts";
import { Refusal, refuse } from "../../contract/refusal.ts";
import { CreatedToken } from "../../workspace/tokens/record.ts";
import { Button } from "../parts/button.tsx";
import { Select } from "../parts/field.tsx";
import { handOver } from "./new-token.tsx";
import { type C, fieldsOf, operate } from "./page-context.ts";
import { refusedPage, show } from "./responses.tsx";
import { FormId, SettingsPage } from "./settings-page.tsx";
import { hasEnded, tokenInPath, tokensPath } from "./tokens.tsx";

const overlaps = [
  ["0", "Not at all: the old token stops now"],
  ["1", "An hour"],
  [String(limits.tokenOverlapHours.default), "A day"],
  ["168", "A week"],
  [String(limits.tokenOverlapHours.max), "30 days"],
] as const;

/** Asks how long the old token should keep working, so that a partner can switch without an interruption. */
export async function confirmRoll(c: C): Promise<Response> {
  const token = await tokenInPath(c);
  if (token instanceof Response) return token;
  if (hasEnded(token)) return refusedPage(c, refuse("token_ended"));
  return show(
    c,
    <SettingsPage
      c={c}
      above={{ href: tokensPath(c), text: "Tokens" }}
      heading={`Roll ${token.name}?`}
      lede="You get a new token with the same permissions, and both work until the old one expires."
    >
      <div class="card narrow">
        <form class="form" method="post" action={c.req.path}>
          <FormId />
          <Select
            label="How long should both work?"
            name="overlap_hours"
            options={overlaps}
            chosen={String(limits.tokenOverlapHours.default)}
            hint="As long as the partner needs to switch to the new one."
          />
          <div class="actions">
            <Button>Roll token</Button>
            <Button kind="quiet" href={tokensPath(c)}>
              Cancel
            </Button>
          </div>
        </form>
      </div>
    </SettingsPage>,
  );
}

export async function roll(c: C): Promise<Response> {
  const rolled = await operate(c, "roll-api-token", CreatedToken, {
    ...(await fieldsOf(c)),
    id: c.req.param("id"),
  });
  return rolled instanceof Refusal ? refusedPage(c, rolled) : handOver(c, rolled, "Token rolled");
}
