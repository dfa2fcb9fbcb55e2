import { imageFormats } from "../../contract/image-formats.ts";
import type { Brand } from "./record.ts";

/** What the addresses of a brand are made of; each names its content, so that it may be kept for ever. */
export interface ShownBrand extends Pick<Brand, "accent" | "logo_content_type" | "logo_sha256"> {
  organization_id: string;
}

/** The stylesheet of a colour, below the origin of the pages; undefined where the service's own stands. */
export const brandStylesheet = ({ accent }: Pick<ShownBrand, "accent">): string | undefined =>
  accent === null ? undefined : `/brand/${accent.slice(1)}.css`;

/** The logo, below the origin of the pages; undefined where there is none. */
export function logoPath(brand: Omit<ShownBrand, "accent">): string | undefined {
  const format = imageFormats.find(({ contentType }) => contentType === brand.logo_content_type);
  return format && brand.logo_sha256
    ? `/brand/${brand.organization_id}/${brand.logo_sha256}.${format.extension}`
    : undefined;
}
