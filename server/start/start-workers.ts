import type { Cell } from '../platform/cells/cell-config.ts';
import { openDirectory } from '../platform/cells/open-cells.ts';
import type { TenantDatabase } from '../platform/database/tenant-database.ts';
import type { SendMailServices } from '../platform/mail/send-mail.ts';
import { startCourier } from './cell-courier.ts';
import { mailSending } from './mail-sending.ts';
import { type StartWorkerOptions, startWorker } from './start-worker.ts';

type Given<K extends 'schedules' | 'digests' | 'pulls' | 'webhooks'> = Omit<
  NonNullable<StartWorkerOptions[K]>,
  'databaseUrl'
>;

export interface StartWorkersOptions
  extends Pick<StartWorkerOptions, 'log' | 'clock' | 'metrics' | 'retention'> {
  readonly urls: { readonly appUrl: string; readonly workerUrl: string };
  readonly cells: readonly Cell[];
  readonly databaseTimeoutMs: number;
  /** Access to the rows of tenants in every database, for what the directory keeps for them. */
  readonly tenants: TenantDatabase;
  readonly mails: Pick<SendMailServices, 'keys' | 'mailer'>;
  readonly schedules: Given<'schedules'>;
  readonly digests: Given<'digests'>;
  readonly pulls: Given<'pulls'>;
  readonly webhooks: Given<'webhooks'>;
}

/** Starts to process the queue of the directory database, and that of each cell. */
export async function startWorkers(
  options: StartWorkersOptions,
): Promise<{ stop(): Promise<void> }> {
  const { urls, cells, databaseTimeoutMs, log, mails } = options;
  const atHome = { databaseUrl: urls.appUrl, databaseTimeoutMs, log };
  const { directory, close: closeDirectory } = openDirectory(atHome);
  const sending = mailSending({ ...atHome, ...mails, cells, directory });
  const stops: (() => Promise<void>)[] = [closeDirectory, () => sending.close()];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const first = await startWorker({ ...optionsAt(options, urls), sendMail: sending.task });
    stops.push(() => first.stop());
    if (cells.length === 0) return { stop };
    for (const { name, ...at } of cells) {
      const cell = { name, directory };
      const worker = await startWorker({ ...optionsAt(options, at), sendMail: sending.task, cell });
      stops.push(() => worker.stop());
    }
    const courier = startCourier({ ...options, databaseUrl: urls.workerUrl });
    stops.push(() => courier.stop());
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** The same work with the serving role and the worker role of another database. */
function optionsAt(
  { schedules, digests, pulls, webhooks, ...options }: StartWorkersOptions,
  { appUrl: databaseUrl, workerUrl }: { readonly appUrl: string; readonly workerUrl: string },
): StartWorkerOptions {
  const { urls: _urls, cells: _cells, mails: _mails, ...rest } = options;
  return {
    ...rest,
    databaseUrl: workerUrl,
    schedules: { ...schedules, databaseUrl },
    digests: { ...digests, databaseUrl },
    pulls: { ...pulls, databaseUrl },
    webhooks: { ...webhooks, databaseUrl },
  };
}
