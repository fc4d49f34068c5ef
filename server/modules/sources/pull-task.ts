import { GoogleCloudError } from '@cspm/google-cloud';
import { InventoryError } from '@cspm/scanner';
import type { Logger } from 'pino';
import { z } from 'zod';
import { writeAudit } from '../../platform/audit-writer.ts';
import { newId } from '../../platform/ids.ts';
import type { Attempt, Task } from '../../platform/queue-worker.ts';
import { annotate, annotateFailure } from '../../platform/tracing/tracer.ts';
import { isLackOfCapacity, TooManyReferences } from '../inventories/index.ts';
import { queueSourceFailed } from '../webhooks/index.ts';
import {
  failPull,
  type HeldTurn,
  type PullFault,
  PullLost,
  type PullTurn,
  SourceChanged,
} from './pull-progress.ts';
import { type PullServices, runTurn } from './pull-turn.ts';

const jobSchema = z.object({ tenantId: z.uuid(), pullId: z.uuid(), turn: z.int().min(0) });

/** How often a running job looks whether its worker is stopping. */
const STOP_CHECK_MS = 250;

/** Runs the jobs of the queue `pull-inventory`. Each is one turn of a pull. */
export class PullTask {
  readonly #services: PullServices;
  readonly #log: Logger;

  constructor(services: PullServices, log: Logger) {
    this.#services = services;
    this.#log = log;
  }

  readonly work: Task = async (payload, attempt) => {
    const turn = { ...jobSchema.parse(payload), leaseToken: newId() };
    annotate({ 'cspm.tenant_id': turn.tenantId, 'cspm.pull.id': turn.pullId });
    const watch = new StopWatch(attempt);
    try {
      await runTurn(this.#services, turn, watch.signal);
    } catch (error) {
      if (error instanceof PullLost) return;
      const fault = faultOf(error);
      if (fault !== null) await this.#fail(turn, fault);
      // What was stored stays. The queue tries again.
      else if (!attempt.isLast) throw error;
      else {
        this.#log.error({ err: error, tenant: turn.tenantId, pull: turn.pullId }, 'A pull failed');
        annotateFailure(error);
        const { leaseToken: _, ...anybodys } = turn;
        await this.#fail(anybodys, isLackOfCapacity(error) ? NO_CAPACITY : INTERNAL);
      }
    } finally {
      watch.end();
    }
  };

  /** Fails a pull whose job has used all attempts without an error to report. */
  readonly giveUp = async (payload: unknown): Promise<void> => {
    const turn = jobSchema.safeParse(payload);
    if (turn.success) await this.#fail(turn.data, GIVEN_UP);
  };

  async #fail(turn: PullTurn | HeldTurn, fault: PullFault): Promise<void> {
    const { tenants, clock } = this.#services;
    const at = clock.now();
    await tenants.write(turn.tenantId, async (db) => {
      const failed = await failPull(db, turn, fault, at);
      // Like a request that changes the source and fails the pull: the audit trail has the request.
      if (failed === null || fault.code === 'source_changed') return;
      await writeAudit(
        db,
        { ip: '', correlationId: newId(), at },
        {
          action: 'source.failed',
          outcome: 'failure',
          actor: failed.createdBy,
          subject: failed.project,
          detail: { pullId: turn.pullId, code: fault.code },
        },
      );
      const { project } = failed;
      await queueSourceFailed(db, at, { project, pullId: turn.pullId, problem: fault.problem });
    });
  }
}

/** Aborts when the worker is stopping, so that a pull never delays its end for long. */
class StopWatch {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(attempt: Attempt) {
    this.#timer = setInterval(() => {
      if (attempt.isStopping()) this.#controller.abort();
    }, STOP_CHECK_MS);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

const GIVEN_UP: PullFault = {
  code: 'worker_died',
  problem: 'Every worker that processed the pull died. The operator should check their logs.',
};
const NO_CAPACITY: PullFault = {
  code: 'no_capacity',
  problem:
    'The server has no capacity for an inventory of this size at the moment. The inventory is unchanged; start another pull later.',
};
const INTERNAL: PullFault = {
  code: 'internal',
  problem: 'Internal error. See the log of the server.',
};

/** @returns null for a fault that another attempt may not meet. */
function faultOf(error: unknown): PullFault | null {
  if (error instanceof SourceChanged) return error.fault;
  if (error instanceof GoogleCloudError) {
    return { code: error.code, problem: `${error.message} ${error.remedy}` };
  }
  if (error instanceof InventoryError) {
    const problem = `Google's answer cannot be used as an inventory: ${error.message}`;
    return { code: 'invalid_response', problem };
  }
  if (error instanceof TooManyReferences) {
    return { code: 'too_large', problem: error.message };
  }
  return null;
}
