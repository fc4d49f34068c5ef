import { randomInt } from 'node:crypto';
import type { KeyRing } from '../crypto/app-secrets.ts';
import { seal, unseal } from '../crypto/seal.ts';
import type { Statement, TenantConnection } from '../database/tenant-database.ts';
import { newId } from '../ids.ts';
import type { ThrottleName, Throttles } from '../throttle.ts';
import { queueJobs, type TraceContext } from '../tracing/job-spans.ts';
import type { WebAddress } from '../web-address.ts';
import type { Mail, Message } from './mail.ts';
import { render } from './render.ts';

/** The payload of a queued job. */
export interface MailJob extends TraceContext {
  /** A sealed Message or null, because mails contain links that open accounts. */
  readonly sealed: string;
  /**
   * The tenant that the mail is about; its deletion removes the job. Not called `tenantId`: a move takes jobs with that
   * member to another database, so a mail on its way would be sent twice.
   */
  readonly ofTenant?: string;
}

export const MAIL_TASK = 'send-mail';
/** Mails about findings wait in a queue of their own, so that many of them do not delay mails about accounts. */
export const DIGEST_TASK = 'send-digest';

const SEAL_CONTEXT = 'mail';
/** Mails that are not sent are counted too, in one of this many counters for absent recipients. */
const NOBODIES = 4096;

interface Dependencies {
  readonly keys: KeyRing;
  readonly throttles: Throttles;
  readonly web: WebAddress;
}

/** Queues mails in the transaction of their cause, so a rolled-back change sends none. */
export class MailQueue {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Queues a mail, which the worker sends after the commit. Null does the same work and sends nothing, so known and
   * unknown addresses take the same time. After three in 15 minutes of one limit a mailbox gets no more.
   * @returns false if the limit is reached and the mail is not sent. Anonymous callers must not learn that.
   */
  async queue(db: TenantConnection, mail: Mail | null): Promise<boolean> {
    const { keys, web } = this.#deps;
    const admitted = await this.#isAdmitted(db, mail);
    const message = mail === null || !admitted ? null : messageOf(mail, web);
    const sealed = seal(keys, SEAL_CONTEXT, JSON.stringify(message)).toString('base64');
    const task = mail?.digestOf === undefined ? MAIL_TASK : DIGEST_TASK;
    const ofTenant = mail?.isOfTenant === true ? { ofTenant: db.tenantId } : {};
    await queueJobs(task, 1, (trace) => {
      const job: MailJob = { sealed, ...ofTenant, ...trace };
      return db.sql(ENQUEUE, [task, JSON.stringify(job)]);
    });
    return admitted;
  }

  /** Takes the same work for mails that anonymous requests cause, for those over their limit, and for null. */
  async #isAdmitted(db: TenantConnection, mail: Mail | null): Promise<boolean> {
    const { throttles } = this.#deps;
    const limit = mail === null ? 'mail-link' : mail.limit;
    if (limit === null) return true;
    const nobody = `nobody ${randomInt(NOBODIES)}`;
    const mailbox = mail === null ? nobody : mailboxOf(mail.to);
    const isWithin = await throttles.reserveWithin(db, limit, mailbox);
    if (!ANONYMOUS.has(limit)) return isWithin;
    // A mail that is not sent does not count against the limit of all.
    const isWithinAll = await throttles.reserveWithin(db, 'mail', isWithin ? mailbox : nobody);
    return isWithin && isWithinAll;
  }
}

/** Limits of mails that anonymous requests cause. */
const ANONYMOUS: ReadonlySet<ThrottleName> = new Set(['mail-link', 'mail-account-exists']);

/**
 * The mail of a job.
 * @returns null for a job that sends nothing.
 * @throws {Error} when it was sealed under a secret that is no longer configured.
 */
export function messageIn(keys: KeyRing, job: MailJob): Message | null {
  const opened = unseal(keys, SEAL_CONTEXT, Buffer.from(job.sealed, 'base64'));
  if (opened === null)
    throw new Error('The mail is encrypted with a secret that is not configured');
  // We sealed it, so its shape is known.
  return JSON.parse(opened) as Message | null;
}

function messageOf(mail: Mail, web: WebAddress): Message {
  const { template, to, digestOf: memberId, isForAdmins } = mail;
  return {
    ...{ id: newId(), template, to },
    ...(memberId === undefined ? {} : { memberId }),
    ...(isForAdmins === undefined ? {} : { isForAdmins }),
    ...render(mail.content(web)),
  };
}

/** Maps all common spellings of a mailbox to one name, for counting only. */
function mailboxOf(address: string): string {
  const lower = address.toLowerCase();
  const at = lower.lastIndexOf('@');
  return lower.slice(0, at).replace(/\+.*$/s, '') + lower.slice(at);
}

const ENQUEUE: Statement = {
  name: 'mail-enqueue',
  reason: 'function',
  text: 'SELECT jobs.enqueue($1, $2::json, NULL, NULL)',
};
