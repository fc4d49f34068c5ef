import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => ({
  // '@cspm/sdk' is its source here, and what it ships elsewhere.
  resolve: { tsconfigPaths: true },
  test: {
    include: ['**/*.test.ts'],
    exclude: [
      ...['**/node_modules/**', '**/dist/**', 'bench/**'],
      // What takes long because processes die and are waited for: `npm run test:faults`, and the continuous integration.
      ...(mode === 'faults' ? [] : ['**/*.slow.faults.test.ts']),
    ],
    // One Postgres for the whole run; each file clones a database of its own from its template.
    globalSetup: ['server/testing/global-setup.ts'],
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
}));
