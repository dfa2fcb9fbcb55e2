/** Typed by orval itself, which is installed for npm run check:tools alone. */
export default {
  partner: {
    input: { target: "../../openapi.json" },
    output: { target: "generated/orval.ts", client: "fetch", mode: "single" },
  },
};
