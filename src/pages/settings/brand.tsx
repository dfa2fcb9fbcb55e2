import { logoSize } from "../../contract/limits.ts";
import { Refusal } from "../../contract/refusal.ts";
import { run } from "../../db/query.ts";
import { logoPath } from "../../workspace/brands/addresses.ts";
import { findBrand } from "../../workspace/brands/read-brand.ts";
import { Brand } from "../../workspace/brands/record.ts";
import { Mark } from "../parts/avatar.tsx";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Field, Tick } from "../parts/field.tsx";
import { baseOf, type C, operate } from "./page-context.ts";
import { fieldErrors, type RefusedForm, refilledField, show } from "./responses.tsx";
import { SettingsPage } from "./settings-page.tsx";

const labels = { accent: "Colour", logo_base64: "Logo", link_previews: "Link previews" } as const;
const pathOf = (c: C) => `${baseOf(c)}/brand`;

export async function showBrand(c: C, given: RefusedForm = {}): Promise<Response> {
  const brand = await run(c.get("services").db, findBrand(c.get("workspace").id));
  const errors = fieldErrors(given, labels);
  const page = (
    <SettingsPage
      c={c}
      heading="Brand"
      lede="What your clients see on reviews, in e-mails and on certificates."
      refusal={errors.size > 0 ? undefined : given.refusal}
    >
      <div class="two">
        <form class="card form" method="post" action={pathOf(c)} enctype="multipart/form-data">
          <Field
            label={labels.accent}
            name="accent"
            required={false}
            placeholder="#c2410c"
            hint="A hex colour. Where it would be hard to read, we darken or lighten it. Leave it empty for our blue."
            {...(given.fields ? refilledField(given, errors, "accent") : { value: brand?.accent ?? "" })}
          />
          <Field
            label={labels.logo_base64}
            name="logo"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            required={false}
            hint={`PNG, JPEG or WebP, at most ${logoSize}; a square looks best.`}
            error={errors.get("logo_base64")}
          />
          {brand?.logo_sha256 && (
            <Tick name="remove_logo" value="on">
              Remove the logo
            </Tick>
          )}
          <div class="field">
            <Tick
              name="link_previews"
              value="on"
              aria-describedby="link_previews-hint"
              checked={given.fields ? given.fields.link_previews === "on" : (brand?.link_previews ?? true)}
            >
              {labels.link_previews}
            </Tick>
            <small id="link_previews-hint">
              E-mails, and chats in which a review's link is pasted, show a picture of the work.
            </small>
          </div>
          <Button>Save brand</Button>
        </form>
        <Preview c={c} />
      </div>
    </SettingsPage>
  );
  return show(c, page, given.refusal);
}

/** Shows the saved colors, because a page cannot preview others without JavaScript. */
const Preview = ({ c }: { c: C }) => {
  const { name, brand } = c.get("workspace");
  return (
    <Card id="preview" heading="How it looks">
      <div class="row">
        <Mark name={name} logo={logoPath(brand)} />
        <strong>
          <bdi>{name}</bdi>
        </strong>
      </div>
      <p>Homepage hero is ready for your review.</p>
      <p>
        <span class="button brand">Open the review</span>
      </p>
    </Card>
  );
};

const base64Of = async (file: File): Promise<string> => new Uint8Array(await file.arrayBuffer()).toBase64();

export async function saveBrand(c: C): Promise<Response> {
  const form = await c.req.formData().catch(() => new FormData());
  const [typed, file] = [form.get("accent"), form.get("logo")];
  const accent = typeof typed === "string" && typed.trim() !== "" ? typed.trim() : "none";
  const link_previews = form.get("link_previews") === "on";
  const fields: Record<string, unknown> = { accent, link_previews };
  if (form.get("remove_logo") === "on") fields.logo_base64 = "none";
  else if (file instanceof File && file.size > 0) fields.logo_base64 = await base64Of(file);
  const saved = await operate(c, "set-brand", Brand, fields);
  return saved instanceof Refusal
    ? showBrand(c, {
        fields: { accent: typed, link_previews: form.get("link_previews") },
        refusal: saved,
      })
    : c.redirect(pathOf(c), 303);
}
