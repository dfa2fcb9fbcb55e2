/** The bindings of a cell that are not in wrangler.toml. `npm run environments` writes them. */
interface Env {
  CELL?: string;
  /** The names of all cells, separated by commas, starting with the first cell. */
  CELLS?: string;
  /** Authenticates requests from the front. During a rotation, it holds two keys, separated by a comma. */
  FRONT_KEY?: string;
  DIRECTORY?: D1Database;
}
