import { imageFormats } from "../../contract/image-formats.ts";
import type { Brand } from "./record.ts";

/** The parts of a brand's URLs. A URL identifies its content, so it may be cached forever. */
export interface ShownBrand extends Pick<Brand, "accent" | "logo_content_type" | "logo_sha256"> {
  organization_id: string;
}

/** Returns the path to a color's stylesheet; undefined for the service's own colors. */
export const brandStylesheet = ({ accent }: Pick<ShownBrand, "accent">): string | undefined =>
  accent === null ? undefined : `/brand/${accent.slice(1)}.css`;

export function logoPath(brand: Omit<ShownBrand, "accent">): string | undefined {
  const format = imageFormats.find(({ contentType }) => contentType === brand.logo_content_type);
  return format && brand.logo_sha256
    ? `/brand/${brand.organization_id}/${brand.logo_sha256}.${format.extension}`
    : undefined;
}
