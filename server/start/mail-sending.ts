import { openPool } from '../platform/cells/open-cells.ts';
import { TenantDatabase } from '../platform/database/tenant-database.ts';
import { type SendMailServices, sendMailTask } from '../platform/mail/send-mail.ts';
import type { Task } from '../platform/queue-worker.ts';

/** Mails about accounts and mails about findings are sent one at a time each, after a look at their recipient. */
const CONNECTIONS = 2;

interface MailSendingOptions extends Pick<SendMailServices, 'keys' | 'mailer' | 'log'> {
  /** The serving role's URL of the directory database. */
  readonly databaseUrl: string;
  readonly databaseTimeoutMs: number;
}

/**
 * The task that sends mails. It uses connections of the serving role that requests do not use: a tenant that takes its whole
 * share of those would delay the mails of all tenants.
 */
export function mailSending({ databaseUrl, databaseTimeoutMs, ...services }: MailSendingOptions): {
  readonly task: Task;
  close(): Promise<void>;
} {
  const { log } = services;
  const pool = openPool({ databaseTimeoutMs, log }, databaseUrl, 'mails', CONNECTIONS);
  const identityTenants = new TenantDatabase(pool);
  return { task: sendMailTask({ ...services, identityTenants }), close: () => pool.end() };
}
