import { mayGetDigest } from '../modules/notifications/index.ts';
import type { Cell } from '../platform/cells/cell-config.ts';
import { CellDatabase } from '../platform/cells/cell-database.ts';
import type { Directory } from '../platform/cells/directory.ts';
import { openPool } from '../platform/cells/open-cells.ts';
import { TenantDatabase } from '../platform/database/tenant-database.ts';
import { type SendMailServices, sendMailTask } from '../platform/mail/send-mail.ts';
import type { Task } from '../platform/queue-worker.ts';

/** Mails about accounts and mails about findings are sent one at a time each, after a look at their recipient. */
const CONNECTIONS = 2;
/** Long enough to ask again where a tenant is. A mail to a tenant that is being moved is retried, and others come first. */
const WAIT_FOR_MOVE_MS = 1_000;

interface MailSendingOptions extends Pick<SendMailServices, 'keys' | 'mailer' | 'log'> {
  /** The serving role's URL of the directory database. */
  readonly databaseUrl: string;
  readonly databaseTimeoutMs: number;
  readonly cells: readonly Cell[];
  readonly directory: Directory;
}

/**
 * The task that sends mails. It uses connections of the serving role that requests do not use: a tenant that takes its whole
 * share of those would delay the mails of all tenants. A mail stays in the queue of its database when the tenant is moved, so
 * each queue reads all databases.
 */
export function mailSending(options: MailSendingOptions): {
  readonly task: Task;
  close(): Promise<void>;
} {
  const { databaseUrl, cells, directory, keys, mailer, log } = options;
  const homePool = openPool(options, databaseUrl, 'mails', CONNECTIONS);
  const home = new TenantDatabase(homePool);
  const pools = cells.map(({ name, appUrl }) => {
    return [name, openPool(options, appUrl, `mails of cell ${name}`, CONNECTIONS)] as const;
  });
  const ofCells = new Map(pools.map(([name, pool]) => [name, new TenantDatabase(pool)]));
  const tenants =
    cells.length === 0
      ? home
      : new CellDatabase({ homePool, home, cells: ofCells, directory, waitMs: WAIT_FOR_MOVE_MS });
  const task = sendMailTask({
    ...{ keys, mailer, log },
    identityTenants: home,
    mayGetDigest: (tenantId, userId) => mayGetDigest(tenants, tenantId, userId),
  });
  const close = async () => {
    await Promise.all([homePool, ...pools.map(([, pool]) => pool)].map((pool) => pool.end()));
  };
  return { task, close };
}
