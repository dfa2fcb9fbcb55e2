import type { AdminServices } from "../admin/operation.ts";
import type { Services } from "../http/services.ts";

/** What RPC may use; the composition root makes it from the bindings. */
export interface RpcServices extends AdminServices, Pick<Services, "unknownSenders"> {
  /** Holds the document that GET /rpc answers with. */
  assets: Fetcher;
  /** Origins whose pages may call it, comma-separated; its own may always. */
  browserOrigins: string;
}
