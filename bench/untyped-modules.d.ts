declare module "workerd" {
  /** A CommonJS module that exports the path of the binary. */
  const workerd: { default: string };
  export default workerd;
}

declare module "autocannon" {
  interface Options {
    url: string;
    method?: "GET" | "POST";
    headers: Record<string, string>;
    body?: string;
    connections: number;
    duration: number;
    sampleInt: number;
    idReplacement: boolean;
  }
  interface Running extends PromiseLike<{ errors: number; timeouts: number }> {
    on(
      event: "response",
      listener: (client: unknown, status: number, bytes: number, latencyMs: number) => void,
    ): void;
  }
  export default function autocannon(options: Options): Running;
}
