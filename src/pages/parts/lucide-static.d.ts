/** The package types only its index, which would bring all 1,700 icons. */
declare module "lucide-static/dist/esm/icons/*.mjs" {
  const svg: string;
  export default svg;
}
