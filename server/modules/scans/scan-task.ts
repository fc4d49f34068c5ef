import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { ProcessUnavailable } from '../../platform/child-process/process-unavailable.ts';
import type { Statement } from '../../platform/database/tenant-database.ts';
import { isDatabaseUnavailable } from '../../platform/database/unavailable.ts';
import type { Attempt, Task } from '../../platform/queue-worker.ts';
import { annotate, annotateFailure } from '../../platform/tracing/tracer.ts';
import { ANY_SCAN, markOf, queueSlot, tenantMarkOf } from './enqueue.ts';
import { clearSlot, LeaseLost, type ScanSlot } from './leases.ts';
import { fail } from './scan-end.ts';
import { RulesNotKnown, ScanFault } from './scan-fault.ts';
import { type ScanWorkerServices, scanProject } from './scan-project.ts';

/** Number and interval of retries while the database is unavailable, before the job returns to the queue. */
const TRIES = 30;
const RETRY_AFTER_MS = 250;
const RETRY_AFTER_AT_MOST_MS = 3_000;

/**
 * Concurrent scans of one tenant in one process. One more is kept for tenants without a scan in this process, so that no
 * tenant can hold all jobs.
 */
export const SCANS_A_TENANT = 2;

/** A launch queues only the first slot, without its number. */
const jobSchema = z.object({
  tenantId: z.uuid(),
  scanId: z.uuid(),
  projectId: z.uuid(),
  slot: z.int().min(0).default(0),
});

/** Runs the jobs of the queue `scan-project`. */
export class ScanTask {
  readonly #services: ScanWorkerServices;
  readonly #log: Logger;
  /** The tenants of the scans that this process works on, by their groups. */
  readonly #underWay = new Map<string, string>();

  constructor(services: ScanWorkerServices, log: Logger) {
    this.#services = services;
    this.#log = log;
  }

  /**
   * Groups of jobs that this process leaves to others: those of a scan that it already works on, because a second slot in
   * one process would gain no CPU and double the memory, and those of a tenant that has as many scans here as it may.
   */
  readonly leavesToOthers = (): string[] => [
    ...this.#underWay.keys(),
    ...this.#tenantsWith(SCANS_A_TENANT),
  ];

  /**
   * The same for the job that is kept for tenants without a scan in this process. It takes none while the other jobs
   * suffice.
   */
  readonly leavesToOthersWhenSpare = (): string[] =>
    this.#underWay.size < SCANS_A_TENANT ? [ANY_SCAN] : this.#tenantsWith(1);

  readonly work: Task = async (payload, attempt) => {
    const slot = jobSchema.parse(payload);
    const mark = markOf(slot);
    annotate({
      'cspm.tenant_id': slot.tenantId,
      'cspm.scan.id': slot.scanId,
      'cspm.project.id': slot.projectId,
      'cspm.scan.slot': slot.slot,
    });
    if (this.#underWay.has(mark) || this.#scansOf(slot.tenantId) >= SCANS_A_TENANT) {
      // Two jobs of one scan, or of one tenant, were fetched before the first was registered here.
      await this.#services.tenants.write(slot.tenantId, (db) => queueSlot(db, slot));
      return;
    }
    this.#underWay.set(mark, slot.tenantId);
    try {
      await persist(() => scanProject(this.#services, slot, attempt), attempt, this.#log);
    } catch (error) {
      // The queue tries again later, unless another worker has the job already. Committed steps remain.
      if (error instanceof LeaseLost || isUncounted(error)) throw error;
      if (isForLater(error) && !attempt.isLast) throw error;
      await this.#fail(slot, error);
      return;
    } finally {
      this.#underWay.delete(mark);
    }
    await this.#renewStatistics(slot.tenantId);
  };

  /** Fails a project whose job has used all attempts without an error to report. */
  readonly giveUp = async (payload: unknown): Promise<void> => {
    const slot = jobSchema.safeParse(payload);
    if (slot.success) await this.#fail(slot.data, new ScanFault(GIVEN_UP));
  };

  #scansOf(tenantId: string): number {
    return [...this.#underWay.values()].filter((other) => other === tenantId).length;
  }

  /** The groups of tenants with at least this many scans in this process. */
  #tenantsWith(scans: number): string[] {
    const tenantIds = new Set(this.#underWay.values());
    return [...tenantIds].filter((id) => this.#scansOf(id) >= scans).map(tenantMarkOf);
  }

  /** So that the lists of the first findings in a database are planned for their number, not for empty tables. */
  async #renewStatistics(tenantId: string): Promise<void> {
    try {
      await this.#services.tenants.read(tenantId, (db) => db.sql(ANALYZE_GROWN));
    } catch (error) {
      this.#log.warn({ err: error }, 'Failed to collect statistics after a scan');
    }
  }

  async #fail(slot: ScanSlot, error: unknown): Promise<void> {
    const { tenants, clock } = this.#services;
    this.#log.error({ err: error, ...slot }, 'A scan failed');
    annotateFailure(error);
    await tenants.write(slot.tenantId, (db) => fail(db, slot, wordsFor(error), clock.now()));
    // Afterwards, because a step that is being written holds its slot and waits for the end of the scan.
    await tenants.write(slot.tenantId, (db) => clearSlot(db, slot));
  }
}

const ANALYZE_GROWN: Statement = {
  name: 'analyze-grown',
  reason: 'function',
  text: 'SELECT name FROM jobs.analyze_grown() AS name',
};

const GIVEN_UP =
  'Every worker that processed the scan died. Check the logs of the workers and of their machines.';

function wordsFor(error: unknown): string {
  if (error instanceof ScanFault) return error.message;
  if (error instanceof RulesNotKnown) {
    return `No worker has the rules of this scan. ${error.message}. Update all workers to the same release and launch the scan again.`;
  }
  return 'Internal error. See the log of the server.';
}

/**
 * Whether an attempt that ended with this error is not counted. A system that cannot start a process at the moment says
 * nothing about the scan, and the next scans of the project wait for it.
 */
export function isUncounted(error: unknown): boolean {
  return error instanceof ProcessUnavailable;
}

/** Whether waiting or another worker may solve it. */
function isForLater(error: unknown): boolean {
  return error instanceof RulesNotKnown || isPassing(error);
}

const DEADLOCK_DETECTED = '40P01';

function isPassing(error: unknown): boolean {
  if (isDatabaseUnavailable(error) || isUncounted(error)) return true;
  return error instanceof Error && 'code' in error && error.code === DEADLOCK_DETECTED;
}

/** Keeps the job during a database outage, so that no later scan of the project runs before it. */
async function persist(work: () => Promise<void>, { isStopping }: Attempt, log: Logger) {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isPassing(error) || tries === TRIES || isStopping()) throw error;
      log.warn(
        { err: error },
        'The database or an evaluator is not available; the scan will continue later',
      );
      await delay(Math.min(RETRY_AFTER_MS * tries, RETRY_AFTER_AT_MOST_MS));
    }
  }
}
