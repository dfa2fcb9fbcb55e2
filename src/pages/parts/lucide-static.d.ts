/** The package only has types for its index, which would import all 1,700 icons. */
declare module "lucide-static/dist/esm/icons/*.mjs" {
  const svg: string;
  export default svg;
}
