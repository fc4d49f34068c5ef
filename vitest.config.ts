import { defineConfig } from 'vitest/config';

/** What takes long because processes die and are waited for: not in `npm test`, but in `npm run test:faults` and `.ci/run`. */
const SLOW = '**/*.slow.faults.test.ts';

/** What has to be the first to load some module, as an OpenTelemetry SDK before what is traced. */
const APART = 'server/tracing/spans.test.ts';

const TESTS = ['**/*.test.ts'];
const ELSEWHERE = ['**/node_modules/**', '**/dist/**', 'bench/**'];

/** Of every project, and given to each: what they inherit otherwise is the start of a Postgres too, one for each. */
const COMMON = { testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    include: TESTS,
    // One Postgres for the whole run; each file clones a database of its own from its template.
    globalSetup: ['server/testing/global-setup.ts'],
    maxWorkers: '100%',
    projects: [
      project('together', {
        include: TESTS,
        exclude: [...ELSEWHERE, SLOW, APART],
        // The files of a worker share what they load: to load it anew for each would take half of the time. So a hook at the
        // top level of a shared module is one of the first file alone that loads it; those of functions are of whoever calls.
        isolate: false,
      }),
      project('apart', { include: [APART] }),
      project('slow', { include: [SLOW], exclude: ELSEWHERE, isolate: false }),
    ],
  },
});

function project(name: string, test: { include: string[]; exclude?: string[]; isolate?: boolean }) {
  return {
    // '@cspm/sdk' is its source here, and what it ships elsewhere.
    resolve: { tsconfigPaths: true },
    test: { ...COMMON, ...test, name },
  };
}
