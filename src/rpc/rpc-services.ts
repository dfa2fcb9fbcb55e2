import type { AdminServices } from "../admin/operation.ts";

/** What RPC may use; the composition root makes it from the bindings. */
export interface RpcServices extends AdminServices {
  /** Holds the document that GET /rpc answers with. */
  assets: Fetcher;
  /** Origins whose pages may call it, comma-separated; its own may always. */
  browserOrigins: string;
}
