declare module "openapi-to-postmanv2" {
  type Converted = { result: true; output: [{ data: object }] } | { result: false; reason: string };
  export function convert(
    input: { type: "json"; data: object },
    options: Record<string, unknown>,
    done: (error: Error | null, converted: Converted) => void,
  ): void;
}
