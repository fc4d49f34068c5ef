import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['openapi/clients/*.spec.ts'],
    // The same real Postgres as for all other tests.
    globalSetup: ['tests/kit/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
