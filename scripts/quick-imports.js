import module from "node:module";

/**
 * `node --import ./scripts/quick-imports.js` speeds up imports of drizzle-orm. Node reads the package's package.json
 * (180 KB) for each of its modules and for each import of it, which takes most of a command's start-up time. With
 * these hooks, Node reads the file once for each imported name.
 */

const found = new Map();

/** Whether a module of the package imports another. These imports include the file extension. */
const isInside = (parent, specifier) =>
  specifier.startsWith(".") && parent?.includes("/node_modules/drizzle-orm/");

// An older Node, such as npm's own, runs without the speed-up.
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
