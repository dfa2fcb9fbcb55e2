import type { AdminServices } from "../admin/operation.ts";
import type { ReviewContext } from "../domain/review/review-context.ts";
import type { Services } from "../http/services.ts";

/** What the pages may use; the composition root makes it from the bindings. */
export interface PageServices extends ReviewContext, AdminServices, Pick<Services, "unknownSenders"> {
  images: R2Bucket;
  /** The keys that sign proofs, as a JWK set. */
  signOffKeys: string;
  /** Whether one more form of this visitor may be read now. */
  mayReadForm(visitor: string): Promise<boolean>;
}
