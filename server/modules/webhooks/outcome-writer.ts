import type { Logger } from 'pino';
import { writeAudit } from '../../platform/audit-writer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TenantConnection, TenantDatabase } from '../../platform/database/tenant-database.ts';
import { newId } from '../../platform/ids.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import { tellAdmins, tenantNameOf } from '../tenants/index.ts';
import { GONE } from './attempt.ts';
import { failingSince, noteHealth, type Outcome, recordOutcomes } from './delivery-queries.ts';
import { disableWebhook, lockWebhook } from './queries.ts';
import { FAILING_MS } from './retry-ladder.ts';
import type { DisabledCode } from './view.ts';

export interface OutcomeServices {
  /** Connections of the serving role, which alone may disable a webhook and write to the audit trail. */
  readonly tenants: TenantDatabase;
  readonly mail: MailQueue;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A transaction that is retried when it deadlocks with a change of the same webhooks. */
const TRIES = 3;
const DEADLOCK_DETECTED = '40P01';

interface Queue {
  outcomes: Outcome[];
  writing: Promise<void> | null;
}

/**
 * Records the outcomes of attempts. What ends while a transaction of a tenant is under way is recorded together by the
 * next one, so that many fast receivers cost few transactions.
 */
export class OutcomeWriter {
  readonly #services: OutcomeServices;
  readonly #queues = new Map<string, Queue>();

  constructor(services: OutcomeServices) {
    this.#services = services;
  }

  /** Resolves when the outcome is recorded, or could not be; the lease then ends and the event is sent again. */
  async record(tenantId: string, outcome: Outcome): Promise<void> {
    const queue = this.#queues.get(tenantId) ?? { outcomes: [], writing: null };
    this.#queues.set(tenantId, queue);
    queue.outcomes.push(outcome);
    while (queue.outcomes.includes(outcome)) {
      queue.writing ??= this.#write(tenantId, queue).finally(() => {
        queue.writing = null;
      });
      await queue.writing;
    }
    if (queue.outcomes.length === 0 && queue.writing === null) this.#queues.delete(tenantId);
  }

  async #write(tenantId: string, queue: Queue): Promise<void> {
    const outcomes = [...queue.outcomes];
    try {
      await retried(() => this.#services.tenants.write(tenantId, (db) => this.#all(db, outcomes)));
    } catch (err) {
      const { log } = this.#services;
      log.error({ err, tenant: tenantId }, 'Failed to record deliveries of webhooks');
    } finally {
      queue.outcomes = queue.outcomes.filter((outcome) => !outcomes.includes(outcome));
    }
  }

  async #all(db: TenantConnection, outcomes: readonly Outcome[]): Promise<void> {
    const at = this.#services.clock.now();
    const succeeded = idsOf(outcomes.filter(({ status }) => status === 'delivered'));
    const failed = idsOf(outcomes.filter(({ status }) => status !== 'delivered'));
    const onlyFailed = failed.filter((id) => !succeeded.includes(id));
    // Webhooks before their deliveries: a request that disables a webhook locks them in this order too.
    await noteHealth(db, { succeeded, failed: onlyFailed }, at);
    await recordOutcomes(db, outcomes);
    for (const id of idsOf(outcomes.filter(({ attempt }) => attempt.status === GONE))) {
      await this.#disable(db, id, 'GONE', at);
    }
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
    await tellAdmins(db, this.#services.mail, { template: 'webhook-disabled', data });
  }
}

function idsOf(outcomes: readonly Outcome[]): string[] {
  return [...new Set(outcomes.map(({ webhookId }) => webhookId))].toSorted();
}

async function retried(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      const isDeadlock =
        error instanceof Error && 'code' in error && error.code === DEADLOCK_DETECTED;
      if (!isDeadlock || tries === TRIES) throw error;
    }
  }
}
