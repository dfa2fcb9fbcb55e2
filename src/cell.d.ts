/** Bindings of a cell besides those in wrangler.toml. `npm run environments` writes them. */
interface Env {
  /** The cell's name. */
  CELL?: string;
  /** The names of all cells, separated by commas, starting with the first cell. */
  CELLS?: string;
  /** Authenticates requests from the front. During a rotation: two keys, separated by a comma. */
  FRONT_KEY?: string;
  DIRECTORY?: D1Database;
}
