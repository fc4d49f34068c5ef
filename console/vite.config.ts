import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Parts that the first page needs, in one file: many small files compress worse. */
const START =
  /console\/src\/(session|loaded-data|load-queries|lib\/(store|severities|safe-next|next-page|use-loaded|use-title|error-text)\.|ui\/(Toasts|Button|Field|Form|Outside|OutsidePage|Skeleton)\.)/;
/** The cache, which all screens behind the sign-in need and the sign-in page does not. */
const DATA = /node_modules\/@tanstack\/(react-query|query-core)\/|console\/src\/queries\.ts/;
/** The style sheets of components that the shell and most screens need. */
const KIT = /console\/src\/ui\/(Dialog|Menu|Popup|SearchBox|States|Tabs|Table)\.module\.css/;
/** Pictures of the menu, which the shell loads, and of most screens. Each would be a file of its own otherwise. */
const ICONS =
  /lucide-react\/dist\/esm\/icons\/(bell-off|book-open-check|boxes|calendar-clock|chevron-down|code|download|key-(round|square)|list-checks|plus|radar|scroll-text|search|shield-exclamation-point|sliders-horizontal|trash|users|webhook)\./;

export default defineConfig({
  base: '/console/',
  plugins: [react(), lengthsInRem(), namesOfShell()],
  // The source of the SDK, as in tsconfig.json: one copy for types and build.
  resolve: {
    alias: [
      { find: '@cspm/sdk/session', replacement: source('../sdk/src/sessions/index.ts') },
      { find: '@cspm/sdk/upload', replacement: source('../sdk/src/upload/index.ts') },
      { find: '@cspm/sdk', replacement: source('../sdk/src/index.ts') },
    ],
  },
  // `npm run dev -w @cspm/console` serves the sources and sends calls of the API to a running server.
  server: {
    proxy: { '^/(?!console/)': { target: process.env['CSPM_URL'] ?? 'http://127.0.0.1:3000' } },
  },
  build: {
    target: 'es2023',
    // The policy allows no `data:` for fonts and scripts, so every asset stays a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Read by scripts/check-console-size.mjs; not served.
    manifest: true,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', test: START },
            { name: 'kit', test: KIT },
            { name: 'data', test: DATA },
            { name: 'icons', test: ICONS },
          ],
        },
      },
    },
  },
});

/** The default font size of browsers, in pixels. */
const DEFAULT_FONT = 16;
/** Shorter lengths are lines and outlines, which do not grow with the text. In pixels. */
const LEAST_LENGTH = 4;

/**
 * The style sheets have their lengths in pixels at the default font size of browsers. For people who have set a
 * larger one, the text grows with everything around it, as with a higher zoom.
 */
function lengthsInRem(): Plugin {
  return {
    name: 'lengths-in-rem',
    enforce: 'pre',
    transform: {
      filter: { id: /\/console\/src\/.*\.css$/ },
      handler: (code) => ({
        code: code.replace(/(?<![\w.#])(\d+(?:\.\d+)?)px\b/g, (length, pixels) =>
          Number(pixels) < LEAST_LENGTH ? length : `${Number(pixels) / DEFAULT_FONT}rem`,
        ),
        map: null,
      }),
    },
  };
}

/** Names the code of the shell in the page: `public/theme.js` loads it together with the start where somebody is signed in. */
function namesOfShell(): Plugin {
  return {
    name: 'names-of-shell',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((made) => made.type === 'chunk');
        const withImports = (first: string[]): Set<string> => {
          const names = new Set(first);
          for (const name of names) {
            for (const { fileName, imports } of chunks)
              if (fileName === name) for (const imported of imports) names.add(imported);
          }
          return names;
        };
        const named = (holds: (chunk: (typeof chunks)[number]) => boolean) =>
          withImports(chunks.filter(holds).map(({ fileName }) => fileName));
        const start = named(({ isEntry }) => isEntry);
        const shell = named(
          ({ facadeModuleId }) => facadeModuleId?.endsWith('/Shell.tsx') === true,
        );
        const content = [...shell].filter((name) => !start.has(name)).join(' ');
        return html.replace(
          '<script src=',
          `<meta name="shell" content="${content}">\n<script src=`,
        );
      },
    },
  };
}

function source(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
