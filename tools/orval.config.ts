import { defineConfig } from "orval";

export default defineConfig({
  partner: {
    input: { target: "../openapi.json" },
    output: { target: "generated/orval.ts", client: "fetch", mode: "single" },
  },
});
