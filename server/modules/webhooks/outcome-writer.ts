import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { writeAudit } from '../../platform/audit-writer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TenantConnection, TenantDatabase } from '../../platform/database/tenant-database.ts';
import { isDatabaseUnavailable, isTenantRefused } from '../../platform/database/unavailable.ts';
import { newId } from '../../platform/ids.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { tellAdmins, tenantNameOf } from '../tenants/index.ts';
import { GONE } from './attempt.ts';
import { failingSince, noteHealth, type Outcome, recordOutcomes } from './delivery-queries.ts';
import { webhookDisabled } from './mails.ts';
import { disableWebhook, lockWebhook } from './queries.ts';
import { FAILING_MS, nextAttemptAt } from './retry-ladder.ts';
import type { DisabledCode } from './view.ts';

export interface OutcomeServices {
  /** Connections of the serving role, which alone may disable a webhook and write to the audit trail. */
  readonly tenants: TenantDatabase;
  readonly mail: MailQueue;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A transaction is retried when it deadlocks with a change of the same webhooks, or Postgres is not reachable. */
const TRIES = 3;
const PAUSE_MS = 500;
const DEADLOCK_DETECTED = '40P01';

/** Outcomes of a tenant wait this long for others, so that many are recorded by one transaction. */
const GATHER_MS = 15;
/** Recorded at once, without waiting. */
const ENOUGH = 128;
/** Recorded by one transaction at most. */
const MOST = 512;

interface Waiting {
  readonly outcome: Outcome;
  readonly done: () => void;
}

interface Queue {
  waiting: Waiting[];
  isWriting: boolean;
  timer: NodeJS.Timeout | null;
}

/**
 * Records the outcomes of attempts. What ends within a short time, or while a transaction of the tenant is under way, is
 * recorded together, so that many fast receivers cost few transactions.
 */
export class OutcomeWriter {
  readonly #services: OutcomeServices;
  readonly #queues = new Map<string, Queue>();

  constructor(services: OutcomeServices) {
    this.#services = services;
  }

  /** Resolves when the outcome is recorded, or could not be; the lease then ends and the event is sent again. */
  record(tenantId: string, outcome: Outcome): Promise<void> {
    const queue = this.#queues.get(tenantId) ?? { waiting: [], isWriting: false, timer: null };
    this.#queues.set(tenantId, queue);
    return new Promise((done) => {
      queue.waiting.push({ outcome, done });
      this.#schedule(tenantId, queue);
    });
  }

  #schedule(tenantId: string, queue: Queue): void {
    if (queue.isWriting) return;
    if (queue.waiting.length >= ENOUGH) this.#flush(tenantId, queue);
    else queue.timer ??= setTimeout(() => this.#flush(tenantId, queue), GATHER_MS);
  }

  #flush(tenantId: string, queue: Queue): void {
    if (queue.timer !== null) clearTimeout(queue.timer);
    queue.timer = null;
    queue.isWriting = true;
    const batch = queue.waiting.splice(0, MOST);
    const outcomes = batch.map(({ outcome }) => outcome);
    void this.#write(tenantId, outcomes).finally(() => {
      queue.isWriting = false;
      for (const { done } of batch) done();
      if (queue.waiting.length > 0) this.#schedule(tenantId, queue);
      else this.#queues.delete(tenantId);
    });
  }

  async #write(tenantId: string, outcomes: readonly Outcome[]): Promise<void> {
    try {
      await retried(() => this.#services.tenants.write(tenantId, (db) => this.#all(db, outcomes)));
    } catch (err) {
      const { log } = this.#services;
      const level = isTenantRefused(err) ? 'warn' : 'error';
      log[level]({ err, tenant: tenantId }, 'Failed to record deliveries of webhooks');
    }
  }

  async #all(db: TenantConnection, outcomes: readonly Outcome[]): Promise<void> {
    const at = this.#services.clock.now();
    const succeeded = idsOf(outcomes.filter(({ status }) => status === 'delivered'));
    const failed = idsOf(outcomes.filter(({ status }) => status !== 'delivered'));
    const onlyFailed = failed.filter((id) => !succeeded.includes(id));
    const gone = idsOf(outcomes.filter(isGone));
    // Webhooks before their deliveries: a request that disables a webhook locks them in this order too.
    const urls = await noteHealth(db, { succeeded, failed: onlyFailed, gone }, at);
    const isFormer = ({ webhookId, url }: Outcome) => urls.get(webhookId) !== url;
    await recordOutcomes(
      db,
      outcomes.map((outcome) =>
        isGone(outcome) && isFormer(outcome) ? triedAgain(outcome, at) : outcome,
      ),
    );
    const disabled = outcomes.filter((outcome) => isGone(outcome) && !isFormer(outcome));
    for (const id of idsOf(disabled)) await this.#disable(db, id, 'GONE', at);
    if (onlyFailed.length === 0) return;
    const since = new Date(at.getTime() - FAILING_MS);
    for (const { id } of await failingSince(db, onlyFailed, since)) {
      await this.#disable(db, id, 'FAILING', at);
    }
  }

  async #disable(db: TenantConnection, id: string, code: DisabledCode, at: Date): Promise<void> {
    const webhook = await lockWebhook(db, id);
    if (webhook === null || !webhook.enabled) return;
    await disableWebhook(db, id, { code, at });
    const { host } = new URL(webhook.url);
    await writeAudit(
      db,
      { ip: '', correlationId: newId(), at },
      {
        action: 'webhook.disabled',
        outcome: 'success',
        actor: { kind: 'webhook', id: null, label: 'webhooks' },
        subject: id,
        detail: { reason: code, host },
      },
    );
    const data = { tenantName: await tenantNameOf(db), host, reason: code, at };
    await tellAdmins(db, this.#services.mail, webhookDisabled(data));
  }
}

function isGone({ attempt }: Outcome): boolean {
  return attempt.status === GONE;
}

/** What a receiver answered under a former URL says nothing about the present one, which gets the event too. */
function triedAgain(outcome: Outcome, at: Date): Outcome {
  const next = nextAttemptAt(outcome.attemptsBefore + 1, at);
  return { ...outcome, status: next === null ? 'failed' : 'pending', nextAttemptAt: next };
}

function idsOf(outcomes: readonly Outcome[]): string[] {
  return [...new Set(outcomes.map(({ webhookId }) => webhookId))].toSorted();
}

/** Recording twice changes nothing, because the number of attempts is compared. */
async function retried(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      const isDeadlock =
        error instanceof Error && 'code' in error && error.code === DEADLOCK_DETECTED;
      const isUnavailable = isDatabaseUnavailable(error);
      if (!(isDeadlock || isUnavailable) || tries === TRIES) throw error;
      if (isUnavailable) await delay(PAUSE_MS);
    }
  }
}
