import { setTimeout as delay } from 'node:timers/promises';
import type { Cell } from '../platform/cells/cell-config.ts';
import { openDirectory } from '../platform/cells/open-cells.ts';
import type { PreparedCells } from '../platform/cells/prepared-cells.ts';
import type { TenantDatabase } from '../platform/database/tenant-database.ts';
import type { SendMailServices } from '../platform/mail/send-mail.ts';
import { startCourier } from './cell-courier.ts';
import { mailSending } from './mail-sending.ts';
import { type StartWorkerOptions, startWorker } from './start-worker.ts';

const START_AGAIN_MS = 5_000;

type Given<K extends 'schedules' | 'digests' | 'pulls' | 'webhooks'> = Omit<
  NonNullable<StartWorkerOptions[K]>,
  'databaseUrl'
>;

export interface StartWorkersOptions
  extends Pick<StartWorkerOptions, 'log' | 'clock' | 'metrics' | 'retention'> {
  readonly urls: { readonly appUrl: string; readonly workerUrl: string };
  readonly cells: readonly Cell[];
  /** Which of them may be used. Default: all. */
  readonly preparedCells?: PreparedCells;
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
  const { urls, cells, preparedCells, databaseTimeoutMs, log, mails } = options;
  const atHome = { databaseUrl: urls.appUrl, databaseTimeoutMs, log };
  const { directory, close: closeDirectory } = openDirectory(atHome);
  const sending = mailSending({ ...atHome, ...mails, cells, directory });
  const stops: (() => Promise<void>)[] = [closeDirectory, () => sending.close()];
  const late = new LateStarts(log);
  const stop = async () => {
    // First, because a start that succeeds adds what has to be stopped.
    await late.stop();
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const first = await startWorker({ ...optionsAt(options, urls), sendMail: sending.task });
    stops.push(() => first.stop());
    if (cells.length === 0) return { stop };
    const startAt = async ({ name, ...at }: Cell) => {
      const cell = { name, directory };
      const worker = await startWorker({ ...optionsAt(options, at), sendMail: sending.task, cell });
      stops.push(() => worker.stop());
    };
    for (const cell of cells) {
      if (preparedCells?.has(cell.name) !== false) await startAt(cell);
      else preparedCells.whenPrepared(cell.name, () => late.begin(() => startAt(cell)));
    }
    const courier = startCourier({ ...options, databaseUrl: urls.workerUrl });
    stops.push(() => courier.stop());
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** Starts of workers of cells that did not answer when the process started. */
class LateStarts {
  readonly #log: StartWorkersOptions['log'];
  readonly #starts: Promise<void>[] = [];
  readonly #stopping = new AbortController();

  constructor(log: StartWorkersOptions['log']) {
    this.#log = log;
  }

  begin(start: () => Promise<void>): void {
    this.#starts.push(this.#repeat(start));
  }

  /** A cell may be away again, which must not end the process. */
  async #repeat(start: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await start();
        return;
      } catch (err) {
        this.#log.warn({ err }, 'Failed to start the workers of a cell; trying again');
        await delay(START_AGAIN_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#starts);
  }
}

/** The same work with the serving role and the worker role of another database. */
function optionsAt(
  { schedules, digests, pulls, webhooks, ...options }: StartWorkersOptions,
  { appUrl: databaseUrl, workerUrl }: { readonly appUrl: string; readonly workerUrl: string },
): StartWorkerOptions {
  const { urls: _urls, cells: _cells, preparedCells: _prepared, mails: _mails, ...rest } = options;
  return {
    ...rest,
    databaseUrl: workerUrl,
    schedules: { ...schedules, databaseUrl },
    digests: { ...digests, databaseUrl },
    pulls: { ...pulls, databaseUrl },
    webhooks: { ...webhooks, databaseUrl },
  };
}
