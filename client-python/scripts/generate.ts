import { recordsOf } from "./records.ts";
import { resourcesOf } from "./resources.ts";
import type { Document } from "./schema.ts";

/** The generated files of the Python client, by path. */
export function pythonOf(text: string): Record<string, string> {
  const document: Document = JSON.parse(text);
  return {
    "client-python/partner_api/records.py": recordsOf(document),
    "client-python/partner_api/resources.py": resourcesOf(document),
  };
}
