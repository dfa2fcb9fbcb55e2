/** What a cell has beyond the bindings of wrangler.toml, which `npm run environments` writes for several cells. */
interface Env {
  /** Its name. */
  CELL?: string;
  /** The names of all cells, comma-separated, the first one first. */
  CELLS?: string;
  /** Proves that the front sent a request; two while it is rotated. */
  FRONT_KEY?: string;
  DIRECTORY?: D1Database;
}
