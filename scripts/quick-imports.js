import module from "node:module";

/**
 * `node --import ./scripts/quick-imports.js`: the same modules, sooner. Node reads the package.json of drizzle-orm, 180
 * KB, for each of its modules and for each that imports it, which takes most of the time that a command needs to start.
 * With this, Node reads the file once for each imported name.
 */

const found = new Map();

/** Within the package, whose files import each other with their endings. */
const isInside = (parent, specifier) =>
  specifier.startsWith(".") && parent?.includes("/node_modules/drizzle-orm/");

// An older Node, such as npm's own, takes its time.
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
