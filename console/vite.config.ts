import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Parts that the first page needs, in one file: many small files compress worse. */
const START =
  /console\/src\/(session|queries\.ts|lib\/(store|safe-next|next-page|use-title|error-text)\.|ui\/(Toasts|Button|Field|Form|Outside|OutsidePage|Skeleton)\.)/;
/** The style sheets of components that the shell and most screens need. */
const KIT = /console\/src\/ui\/(Dialog|Menu|Popup|SearchBox|States|Tabs|Table)\.module\.css/;

export default defineConfig({
  base: '/console/',
  plugins: [react()],
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
          ],
        },
      },
    },
  },
});

function source(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
