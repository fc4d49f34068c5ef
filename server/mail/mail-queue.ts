import { randomInt } from 'node:crypto';
import type { Statement, TenantConnection } from '../database/tenant-database.ts';
import type { KeyRing } from '../identity/app-secrets.ts';
import { seal, unseal } from '../identity/seal.ts';
import type { Throttles } from '../identity/throttle.ts';
import { newId } from '../ids.ts';
import { queueJobs, type TraceContext } from '../tracing/job-spans.ts';
import type { WebAddress } from '../web-address.ts';
import type { Mail, MailTemplate, Message } from './mail.ts';
import { render } from './templates.ts';

/** What a queued job carries. */
export interface MailJob extends TraceContext {
  /** A Message, or nothing, sealed under the application secret: mails hold links that open accounts. */
  readonly sealed: string;
}

const SEAL_CONTEXT = 'mail';
/** Mails to nobody are counted as well, in one of so many counters that stand for nobody. */
const NOBODIES = 4096;

/**
 * Mails that only their owner's own doing brings about. They go out however many others did before: whoever can have
 * three links sent must not be able to silence the notice that a password was changed or the master key used.
 */
const ALWAYS_SENT: ReadonlySet<MailTemplate> = new Set([
  'password-changed',
  'two-factor-changed',
  'break-glass',
]);

interface Dependencies {
  readonly keys: KeyRing;
  readonly throttles: Throttles;
  readonly web: WebAddress;
}

/** Hands mails to the queue in the transaction of what they tell of: none goes out for what did not happen. */
export class MailQueue {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Queues a mail, which the worker sends once the transaction has committed. Null does the same work and sends nothing,
   * so that an address that is known takes as long as one that is not. Beyond three in 15 minutes a mailbox gets none.
   */
  async queue(db: TenantConnection, mail: Mail | null): Promise<void> {
    const { keys, throttles, web } = this.#deps;
    const mailbox = mail === null ? `nobody ${randomInt(NOBODIES)}` : mailboxOf(mail.to);
    const exempt = mail !== null && ALWAYS_SENT.has(mail.template);
    const admitted = exempt || (await throttles.reserveWithin(db, 'mail', mailbox));
    const message = mail === null || !admitted ? null : messageOf(mail, web);
    const sealed = seal(keys, SEAL_CONTEXT, JSON.stringify(message)).toString('base64');
    await queueJobs('send-mail', 1, (trace) => {
      const job: MailJob = { sealed, ...trace };
      return db.sql(ENQUEUE, [JSON.stringify(job)]);
    });
  }
}

/**
 * The mail of a job.
 * @returns null for a job that sends nothing.
 * @throws {Error} when it was sealed under a secret that we no longer have.
 */
export function messageIn(keys: KeyRing, job: MailJob): Message | null {
  const opened = unseal(keys, SEAL_CONTEXT, Buffer.from(job.sealed, 'base64'));
  if (opened === null) throw new Error('The mail is sealed under a secret that is not configured');
  // Sealed by us and therefore as we made it.
  return JSON.parse(opened) as Message | null;
}

function messageOf(mail: Mail, web: WebAddress): Message {
  return { id: newId(), template: mail.template, to: mail.to, ...render(mail, web) };
}

/** One name for all the ways of writing a mailbox that mail providers commonly take for one. For counting only. */
function mailboxOf(address: string): string {
  const lower = address.toLowerCase();
  const at = lower.lastIndexOf('@');
  return lower.slice(0, at).replace(/\+.*$/s, '') + lower.slice(at);
}

const ENQUEUE: Statement = {
  name: 'mail-enqueue',
  text: "SELECT jobs.enqueue('send-mail', $1::json, NULL, NULL)",
};
