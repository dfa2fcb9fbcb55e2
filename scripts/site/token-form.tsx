import { placeholders } from "../../src/http/placeholders.ts";
import { Button } from "../../src/pages/parts/button.tsx";
import { Note } from "../../src/pages/parts/card.tsx";

/** A form that requires JavaScript. Its values stay in the browser tab and are filled into the examples. */
export const TokenForm = () => (
  <form id="credentials" hidden>
    <Note icon="key" heading="Try it with your token">
      <p class="muted" id="try-it-with-your-token">
        An admin of the workspace gives you both. They stay in this browser tab.
      </p>
      <div class="inputs">
        <label>
          <span class="small">apikey</span>
          <input name="apikey" value={placeholders.apikey} autocomplete="off" spellcheck={false} required />
        </label>
        <label>
          <span class="small">Token</span>
          <input name="token" value={placeholders.token} autocomplete="off" spellcheck={false} required />
        </label>
        <Button>Use it</Button>
      </div>
      <p class="small" role="status" />
    </Note>
  </form>
);
