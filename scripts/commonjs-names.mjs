// Without this, a package in CommonJS that is imported at run time would have only a default export in a bundle.
import { createRequire } from 'node:module';
import { dirname, relative } from 'node:path';
import { types } from 'node:util';

const require = createRequire(import.meta.url);
const NAME = 'commonjs-names';
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * A plugin for esbuild: `import()` of a package in CommonJS gives the names that it gives in Node. The chunk that esbuild
 * makes of such a package has a default export only.
 */
export const COMMONJS_NAMES = {
  name: NAME,
  setup(build) {
    build.onResolve({ filter: /.*/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === NAME) return undefined;
      const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: NAME });
      const names = found.external || found.errors.length > 0 ? null : namesOf(found.path);
      // Esbuild resolves the others again, because it forgives an optional dependency that is missing.
      if (names === null) return undefined;
      // A bundle names its files, and must not tell where it was built.
      const shown = relative(build.initialOptions.absWorkingDir, found.path);
      return { path: shown, namespace: NAME, pluginData: { file: found.path, names } };
    });
    build.onLoad({ filter: /.*/, namespace: NAME }, ({ pluginData: { file, names } }) => ({
      contents: `const all = require(${JSON.stringify(file)});
export default all;
export const { ${names.join(', ')} } = all;`,
      resolveDir: dirname(file),
    }));
  },
};

/** What a file of a package exports; null if it is no CommonJS. */
function namesOf(path) {
  if (!/node_modules.*\.c?js$/.test(path)) return null;
  try {
    const exported = require(path);
    if (types.isModuleNamespaceObject(exported)) return null;
    return Object.keys(exported).filter((name) => IDENTIFIER.test(name) && name !== 'default');
  } catch {
    // A module in ECMAScript syntax.
    return null;
  }
}
