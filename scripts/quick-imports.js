import module from "node:module";

/**
 * `node --import ./scripts/quick-imports.js` speeds up imports of drizzle-orm. For each of the package's modules and
 * for each import, Node reads its package.json (180 KB), which takes most of a command's startup time. With these
 * hooks, Node reads it only once for each imported name.
 */

const found = new Map();

/** Whether one of the package's modules imports another. Such imports include the file extension. */
const isInside = (parent, specifier) =>
  specifier.startsWith(".") && parent?.includes("/node_modules/drizzle-orm/");

// Older Node versions, such as npm's own, run without the speed-up.
module.registerHooks?.({
  resolve(specifier, context, next) {
    if (isInside(context.parentURL, specifier)) {
      return { url: new URL(specifier, context.parentURL).href, format: "module", shortCircuit: true };
    }
    if (!/^drizzle-orm(\/|$)/.test(specifier)) return next(specifier, context);
    if (!found.has(specifier)) found.set(specifier, { ...next(specifier, context), shortCircuit: true });
    return found.get(specifier);
  },
});
