import { expect, it } from "vitest";
import { Field } from "./field.tsx";
import { When } from "./time.tsx";

const at = "2026-01-31T09:05:07.000Z";

it("shows a timestamp as a date, and with `exact` also as a time in UTC", () => {
  expect(String(<When at={at} />)).toBe(`<time datetime="${at}">31 January 2026</time>`);
  expect(String(<When at={at} exact />)).toBe(`<time datetime="${at}">31 January 2026, 09:05 UTC</time>`);
});

it("labels an input, and links it to its hint and error", () => {
  const name = (
    <Field label="Name" name="name" maxLength={200} value={'"A'} hint="As it is" error="Too long" />
  );
  expect(String(name)).toBe(
    '<div class="field"><label for="name">Name</label><input id="name" name="name" required="" maxlength="200" ' +
      'aria-invalid="true" aria-describedby="name-hint name-error" value="&quot;A" dir="auto"/>' +
      '<small id="name-hint">As it is</small>' +
      '<p id="name-error" class="error" role="alert"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true" ' +
      'data-icon="circleAlert"><circle cx="12" cy="12" r="10"/><line x1="12" x2="12" y1="8" y2="12"/>' +
      '<line x1="12" x2="12.01" y1="16" y2="16"/></svg>Too long</p></div>',
  );
  const words = <Field label="Words" name="words" rows={4} required={false} value="<b>" autocomplete="off" />;
  expect(String(words)).toBe(
    '<div class="field"><label for="words">Words</label><textarea id="words" name="words" autocomplete="off" ' +
      'rows="4" dir="auto">&lt;b&gt;</textarea></div>',
  );
});
