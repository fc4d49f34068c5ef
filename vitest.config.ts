import { defineConfig } from 'vitest/config';

export default defineConfig({
  // '@cspm/sdk' is its source here, and what it ships elsewhere.
  resolve: { tsconfigPaths: true },
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', 'bench/**'],
    // One Postgres for the whole run; each file clones a database of its own from its template.
    globalSetup: ['server/testing/global-setup.ts'],
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
