import { defineConfig } from 'vitest/config';

/** Slow tests: not in `npm test`, but in `npm run test:faults`, `npm run test:attacks` and `.ci/run`. */
const SLOW = '**/*.slow.*.test.ts';

/** Tests in Chromium: not in `npm test`, but in `npm run test:browser` and `.ci/run`. */
const BROWSER = ['tests/console/**/*.test.ts', '**/*.browser.test.ts'];

/** Files that must load a module first, as an OpenTelemetry SDK before the traced code. */
const APART = 'server/platform/tracing/spans.test.ts';

const TESTS = ['**/*.test.ts'];
const ELSEWHERE = ['**/node_modules/**', '**/dist/**', 'bench/**'];

/** Options of every project, passed to each one: inheriting them would also start one Postgres per project. */
const COMMON = {
  // Scans and predicates run in child processes, which start slowly on a busy machine.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // The default of a second is too short for a browser on a busy machine.
  expect: { poll: { timeout: 60_000 } },
  setupFiles: ['tests/kit/child-programs.ts'],
};

export default defineConfig({
  test: {
    include: TESTS,
    // One Postgres for the whole run; each file clones its own database from a template.
    globalSetup: ['tests/kit/global-setup.ts'],
    maxWorkers: '100%',
    projects: [
      project('together', {
        include: TESTS,
        exclude: [...ELSEWHERE, ...BROWSER, SLOW, APART],
        // The files of a worker share loaded modules, because reloading would take half of the time. So a top-level
        // hook in a shared module applies only to the first file that loads it; hooks inside functions apply to their
        // callers.
        isolate: false,
      }),
      project('apart', { include: [APART] }),
      project('browser', { include: BROWSER, exclude: ELSEWHERE, isolate: false }),
      project('slow', { include: [SLOW], exclude: ELSEWHERE, isolate: false }),
    ],
  },
});

function project(name: string, test: { include: string[]; exclude?: string[]; isolate?: boolean }) {
  return {
    // '@cspm/sdk' is its source here; what it ships is tested elsewhere.
    resolve: { tsconfigPaths: true },
    test: { ...COMMON, ...test, name },
  };
}
