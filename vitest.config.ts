import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take more than four seconds each, because they start many servers, wait for many deadlines or send thousands
 * of requests. Quicker files test the same subjects too.
 */
const LONG = [
  'cli/plan-mutes.test.ts',
  'cli/process.test.ts',
  'cli/readme.test.ts',
  'cli/service-inventories.test.ts',
  'cli/service.test.ts',
  'cli/sources.test.ts',
  'cli/webhooks.test.ts',
  'google-cloud/google-cloud.test.ts',
  'openapi/live.test.ts',
  'openapi/types.test.ts',
  'scanner/fixes/proof.test.ts',
  'scanner/growth.test.ts',
  'scanner/terraform/growth.test.ts',
  'scripts/schema-engine.test.ts',
  'sdk/conformance/bad-clients.test.ts',
  'sdk/conformance/subpaths.test.ts',
  'sdk/snippets.test.ts',
  'sdk/src/client.types.test.ts',
  'sdk/src/retry-loop.test.ts',
  'sdk/src/stream.test.ts',
  'server/administration/admin.test.ts',
  'server/administration/cells/move-tenant.test.ts',
  'server/administration/deletion/delete-tenant.test.ts',
  'server/administration/deletion/mails.test.ts',
  'server/administration/deletion/work-in-flight.test.ts',
  'server/administration/reseal-tenants.test.ts',
  'server/development/embedded-crash.test.ts',
  'server/development/embedded-os-user.test.ts',
  'server/development/embedded-second-server.test.ts',
  'server/development/embedded-temporary.test.ts',
  'server/development/embedded.test.ts',
  'server/http/abuse.test.ts',
  'server/http/client-pace.test.ts',
  'server/http/fuzz.test.ts',
  'server/http/limit-stores.faults.test.ts',
  'server/http/outage.faults.test.ts',
  'server/http/prototype-pollution.test.ts',
  'server/http/request-log.test.ts',
  'server/http/slow-streams.test.ts',
  'server/http/slow-writes.test.ts',
  'server/http/unread-answers.test.ts',
  'server/modules/audit/audit-export.test.ts',
  'server/modules/auth/password/password-changes.test.ts',
  'server/modules/auth/password/password.test.ts',
  'server/modules/auth/password/sign-in-throttle.test.ts',
  'server/modules/auth/password/sign-in-timing.test.ts',
  'server/modules/auth/saml/browser-binding.test.ts',
  'server/modules/auth/saml/hostile-xml.test.ts',
  'server/modules/auth/saml/unproven-accounts.test.ts',
  'server/modules/auth/saml/xml-thread.test.ts',
  'server/modules/findings/finding-filters.test.ts',
  'server/modules/findings/findings-over-time.test.ts',
  'server/modules/findings/many-mutes.test.ts',
  'server/modules/findings/project-findings.test.ts',
  'server/modules/inventories/full-disk.faults.test.ts',
  'server/modules/inventories/packing.test.ts',
  'server/modules/inventories/slow-uploads.test.ts',
  'server/modules/inventories/upload-interrupted.test.ts',
  'server/modules/inventories/upload-memory.test.ts',
  'server/modules/inventories/upload-refused.test.ts',
  'server/modules/inventories/upload-terraform.test.ts',
  'server/modules/meta/docs-page.test.ts',
  'server/modules/meta/mail-pages.test.ts',
  'server/modules/notifications/digests.test.ts',
  'server/modules/posture/backfill.test.ts',
  'server/modules/posture/posture.test.ts',
  'server/modules/projects/project-deletion.test.ts',
  'server/modules/rules/custom-rule-checks.test.ts',
  'server/modules/rules/custom-rule-evaluator.test.ts',
  'server/modules/rules/custom-rule-handlers.test.ts',
  'server/modules/scans/compare.test.ts',
  'server/modules/scans/custom-rules.test.ts',
  'server/modules/scans/hostile-inventory.test.ts',
  'server/modules/scans/repeat-chunks.test.ts',
  'server/modules/scans/repeat-project.test.ts',
  'server/modules/scans/scan-cancel.test.ts',
  'server/modules/scans/scan-evaluator.test.ts',
  'server/modules/scans/scan-events.test.ts',
  'server/modules/scans/scan-failure.test.ts',
  'server/modules/scans/scan-lifecycle.test.ts',
  'server/modules/scans/scan-sharing.test.ts',
  'server/modules/scans/scan-statistics.test.ts',
  'server/modules/scans/slow-rules.test.ts',
  'server/modules/schedules/pull-first.test.ts',
  'server/modules/schedules/schedule-poll.test.ts',
  'server/modules/sources/pulls.test.ts',
  'server/modules/sources/source-changed.test.ts',
  'server/modules/tenants/domain-handlers.test.ts',
  'server/modules/webhooks/exchange-thread.test.ts',
  'server/modules/webhooks/fairness.test.ts',
  'server/platform/cells/cell-surface.test.ts',
  'server/platform/database/migrate.test.ts',
  'server/platform/database/unavailable.faults.test.ts',
  'server/platform/due-poll.test.ts',
  'server/platform/mail/delivery.faults.test.ts',
  'server/platform/mail/delivery.test.ts',
  'server/platform/queue-clock.test.ts',
  'server/platform/tracing/tracing.test.ts',
  'server/start/bundle.test.ts',
  'server/start/cell-erasure.test.ts',
  'server/start/start-up.test.ts',
  'server/start/unreachable-cell.test.ts',
  'tests/operations/backup.test.ts',
  'tests/operations/many-instances.test.ts',
  'tests/operations/replaced-roles.test.ts',
  'tools/breaking/compare.test.ts',
  'tools/breaking/oasdiff.test.ts',
  'tools/generate/openapi.test.ts',
  'tools/release/command.test.ts',
  'tools/release/pack.test.ts',
  'tools/sbom/sbom.test.ts',
  'tools/script-options.test.ts',
];

/** Not in `npm test`, but in `npm run test:slow` and `.ci/run`. */
const SLOW = ['**/*.slow.*.test.ts', ...LONG];

/** Tests in Chromium: not in `npm test`, but in `npm run test:browser` and `.ci/run`. */
const BROWSER = ['tests/console/**/*.test.ts', '**/*.browser.test.ts'];

/** Files that must load a module first, as an OpenTelemetry SDK before the traced code. */
const APART = 'server/platform/tracing/spans.test.ts';

const TESTS = ['**/*.test.ts'];
const ELSEWHERE = ['**/node_modules/**', '**/dist/**', 'bench/**'];

/** Files that take more than a minute. */
const LONGEST = [
  'server/modules/inventories/upload-attacks.slow.attacks.test.ts',
  'server/http/abuse.test.ts',
  'server/http/limits-redis-sentinel.slow.faults.test.ts',
  'server/modules/sources/killed-worker.slow.faults.test.ts',
];

/** Runs the longest files first: one that begins last runs alone, with all other workers idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      if (LONGEST.some((file) => moduleId.endsWith(`/${file}`))) return 0;
      return moduleId.includes('.slow.') ? 1 : 2;
    };
    // The order of the groups stays: Vitest runs them one after another.
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

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
    sequence: { sequencer: LongestFirst },
    projects: [
      project('together', {
        include: TESTS,
        exclude: [...ELSEWHERE, ...BROWSER, ...SLOW, APART],
        // The files of a worker share loaded modules, because reloading would take half of the time. So a top-level
        // hook in a shared module applies only to the first file that loads it; hooks inside functions apply to their
        // callers.
        isolate: false,
      }),
      project('apart', { include: [APART] }),
      project('browser', {
        include: BROWSER,
        exclude: ELSEWHERE,
        isolate: false,
        // A browser and a server wait for each other: with a worker for each processor, a fifth of the time is idle.
        maxWorkers: availableParallelism() + 1,
        // Vitest requires it of a project with its own number of workers.
        sequence: { groupOrder: 1 },
      }),
      project('slow', {
        include: SLOW,
        exclude: ELSEWHERE,
        isolate: false,
        // They spend much of their time waiting for deadlines, for starting processes and for servers that are gone.
        maxWorkers: availableParallelism() * 2,
        sequence: { groupOrder: 2 },
      }),
    ],
  },
});

interface ProjectOptions {
  readonly include: string[];
  readonly exclude?: string[];
  readonly isolate?: boolean;
  readonly maxWorkers?: number;
  readonly sequence?: { readonly groupOrder: number };
}

function project(name: string, test: ProjectOptions) {
  return {
    // '@cspm/sdk' is its source here; what it ships is tested elsewhere.
    resolve: { tsconfigPaths: true },
    test: { ...COMMON, ...test, name },
  };
}
