import { pathToFileURL } from 'node:url';

const WASM_AS_TEXT = /[\\/]@prisma[\\/]client[\\/]runtime[\\/][\w.]+\.wasm-base64\.mjs$/;

/**
 * A plugin for esbuild that keeps Prisma's query compiler in a file of its own. As text in a module, it blocks the event
 * loop for 20 to 30 ms when the first request needs it, and stays in memory.
 */
export const QUERY_COMPILER_FILE = {
  name: 'query-compiler-file',
  setup(build) {
    build.onLoad({ filter: WASM_AS_TEXT }, ({ path }) => ({
      // Prisma Client passes `wasm` to `Buffer.from`, which takes bytes as well as text.
      contents: `import { readFile } from 'node:fs/promises';
import name from ${JSON.stringify(`wasm-of:${path}`)};
export const wasm = await readFile(new URL(name, import.meta.url));`,
    }));
    build.onResolve({ filter: /^wasm-of:/ }, ({ path }) => ({
      path: path.slice('wasm-of:'.length).replace(/-base64\.mjs$/, ''),
      namespace: 'wasm',
    }));
    build.onLoad({ filter: /.*/, namespace: 'wasm' }, async ({ path }) => {
      const { wasm } = await import(pathToFileURL(`${path}-base64.mjs`).href);
      return { contents: Buffer.from(wasm, 'base64'), loader: 'file' };
    });
  },
};
