import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import type { Attempt, Task } from '../jobs/queue-worker.ts';
import { annotate, annotateFailure } from '../tracing/tracer.ts';
import { markOf, queueSlot } from './queue-slot.ts';
import { fail } from './scan-end.ts';
import { RulesNotKnown, ScanFault } from './scan-fault.ts';
import { type ScanWorkerServices, scanProject } from './scan-project.ts';
import { Displaced, type ScanSlot } from './slots.ts';

/** How often a job whose database is away tries again before it goes back to the queue, and how soon. */
const TRIES = 30;
const RETRY_AFTER_MS = 250;
const RETRY_AFTER_AT_MOST_MS = 3_000;

/** A launch queues the first slot alone, and need not number it. */
const jobSchema = z.object({
  tenantId: z.uuid(),
  scanId: z.uuid(),
  projectId: z.uuid(),
  slot: z.int().min(0).default(0),
});

/** What a worker does for the jobs of the queue `scan-project`. */
export class ScanTask {
  readonly #services: ScanWorkerServices;
  readonly #log: Logger;
  readonly #underWay = new Set<string>();

  constructor(services: ScanWorkerServices, log: Logger) {
    this.#services = services;
    this.#log = log;
  }

  /**
   * The marks of jobs that this process leaves to others for now: it is at work on the same scan already. A second slot
   * of one process would have no processor to itself, and as much in memory as the first.
   */
  readonly leavesToOthers = (): string[] => [...this.#underWay];

  readonly work: Task = async (payload, attempt) => {
    const slot = jobSchema.parse(payload);
    const mark = markOf(slot);
    annotate({
      'cspm.tenant_id': slot.tenantId,
      'cspm.scan.id': slot.scanId,
      'cspm.project.id': slot.projectId,
      'cspm.scan.slot': slot.slot,
    });
    if (this.#underWay.has(mark)) {
      // Two jobs were asked for before either was known here.
      await this.#services.tenants.write(slot.tenantId, (db) => queueSlot(db, slot));
      return;
    }
    this.#underWay.add(mark);
    try {
      await persist(() => scanProject(this.#services, slot, attempt), attempt, this.#log);
    } catch (error) {
      // The queue tries again later, unless the job is another worker's already; what is done stays done.
      if (error instanceof Displaced || (isForLater(error) && !attempt.isLast)) throw error;
      await this.#fail(slot, error);
    } finally {
      this.#underWay.delete(mark);
    }
  };

  /** What becomes of a project whose job has no attempt left, and nobody to say why. */
  readonly giveUp = async (payload: unknown): Promise<void> => {
    const slot = jobSchema.safeParse(payload);
    if (slot.success) await this.#fail(slot.data, new ScanFault(GIVEN_UP));
  };

  async #fail(slot: ScanSlot, error: unknown): Promise<void> {
    const { tenants, clock } = this.#services;
    this.#log.error({ err: error, ...slot }, 'A scan failed');
    annotateFailure(error);
    await tenants.write(slot.tenantId, (db) => fail(db, slot, wordsFor(error), clock.now()));
  }
}

const GIVEN_UP =
  'Each of the workers that took it on died of it. Their logs, and those of the machine, may say why.';

function wordsFor(error: unknown): string {
  if (error instanceof ScanFault) return error.message;
  if (error instanceof RulesNotKnown) {
    return `No worker knows the rules of this scan. ${error.message}. Bring all workers to one release and launch it again.`;
  }
  return 'An internal error. It is in the log of the server.';
}

/** Whether time, or another worker, may mend it. */
function isForLater(error: unknown): boolean {
  return error instanceof RulesNotKnown || isPassing(error);
}

const DEADLOCK_DETECTED = '40P01';

function isPassing(error: unknown): boolean {
  if (isDatabaseUnavailable(error)) return true;
  return error instanceof Error && 'code' in error && error.code === DEADLOCK_DETECTED;
}

/** Sits out an outage of the database with the job in hand, so that no later scan of the project comes before it. */
async function persist(work: () => Promise<void>, { isStopping }: Attempt, log: Logger) {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isPassing(error) || tries === TRIES || isStopping()) throw error;
      log.warn({ err: error }, 'The database is out of reach; the scan goes on later');
      await delay(Math.min(RETRY_AFTER_MS * tries, RETRY_AFTER_AT_MOST_MS));
    }
  }
}
