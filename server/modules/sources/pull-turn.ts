import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { GoogleCloudError, isComplete, type PulledPage, startPull } from '@cspm/google-cloud';
import { writeAudit } from '../../platform/audit-writer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TenantConnection, TenantDatabase } from '../../platform/database/tenant-database.ts';
import { newId } from '../../platform/ids.ts';
import { PackingBySize, type PackingProcesses, storeInventory } from '../inventories/index.ts';
import type { GoogleClients } from './google-clients.ts';
import {
  completePull,
  endTurn,
  type HeldTurn,
  readPage,
  restartPull,
  SOURCE_DELETED,
  SOURCE_REPLACED,
  SourceChanged,
  type StoredState,
  storePage,
  type TakenPull,
  takeTurn,
} from './pull-progress.ts';
import { PutOff } from './put-off.ts';
import { findSource, type SourceRow } from './queries.ts';

export interface PullServices {
  /** Connections of the serving role: a pulled inventory is written with the rights of an upload. */
  readonly tenants: TenantDatabase;
  readonly google: GoogleClients;
  readonly clock: Clock;
  /** The limits of an uploaded inventory. */
  readonly inventories: {
    readonly maxBytes: number;
    readonly kept: number;
    readonly packing: PackingProcesses;
  };
}

/** A pull gives its place to others after this time. */
const TURN_MS = 30_000;
/** How often a pull waits for Google without a page in between. */
const STALLS_MAX = 20;
const STALL_SECONDS = 30;
/** How often a pull begins again, because Google no longer accepts a page token. */
const RESTARTS_MAX = 3;
/** Pages are written once and read once, so the fastest compression level is best. */
const COMPRESSION_LEVEL = 1;
/** Pieces of this size are what an upload receives from its connection. */
const PIECE_BYTES = 64 * 1024;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/**
 * Continues a pull: reads pages until the time of the turn is over, or stores the inventory when all pages are there.
 * @param stopping aborts when the worker is stopping; the next turn is then queued for another worker
 * @throws {PullLost} | {SourceChanged} | {GoogleCloudError} | {InventoryError} | {ProblemError} why the pull has failed
 */
export async function runTurn(
  services: PullServices,
  held: HeldTurn,
  stopping: AbortSignal,
): Promise<void> {
  const { tenants, clock } = services;
  const taken = await tenants.write(held.tenantId, (db) => takeTurn(db, held, clock.now()));
  if (taken === null) return;
  const next = (delaySeconds = 0, stalls = 0) =>
    tenants.write(held.tenantId, (db) => endTurn(db, held, { delaySeconds, stalls }));
  const progress = { stalls: taken.stalls };
  try {
    const state = await readPages(services, held, taken, progress, stopping);
    if (state === null) await next();
    else await store(services, held, taken, state, stopping);
  } catch (error) {
    if (stopping.aborted && error === stopping.reason) {
      await next(0, progress.stalls);
      return;
    }
    const wait = waitAfter(error);
    if (wait === null) throw error;
    const stalls = wait.isStall ? progress.stalls + 1 : progress.stalls;
    if (stalls > STALLS_MAX) throw error instanceof GoogleCloudError ? error : NO_ANSWER;
    await next(wait.seconds, stalls);
  }
}

const NO_ANSWER = new GoogleCloudError(
  'unavailable',
  'Google did not answer, or refused because of its quota, for too long.',
  'Start another pull later.',
);

/** How long to leave Google alone after an error; null: the pull has failed. */
function waitAfter(error: unknown): { readonly seconds: number; readonly isStall: boolean } | null {
  if (error instanceof PutOff) return error;
  if (!(error instanceof GoogleCloudError)) return null;
  if (error.code !== 'unavailable' && error.code !== 'quota_exceeded') return null;
  return { seconds: error.retryAfterSeconds ?? STALL_SECONDS, isStall: true };
}

/** @returns the state when all pages are stored; null when the turn is over. */
async function readPages(
  { tenants, google, inventories }: PullServices,
  held: HeldTurn,
  taken: TakenPull,
  progress: { stalls: number },
  stopping: AbortSignal,
): Promise<StoredState | null> {
  const { tenantId } = held;
  const { projectId, parent } = taken;
  // Google's time counts, not that of our clock.
  let state = taken.state ?? { pull: startPull(parent, new Date()), restarts: 0 };
  if (isComplete(state.pull)) return state;
  const source = await tenants.read(tenantId, (db) => sourceOf(db, taken));
  const { principal, credential: sealed } = source;
  const client = google.openForPull({ tenantId, projectId, principal, sealed });
  const endsAt = performance.now() + TURN_MS;
  let [seq, bytes] = [taken.pages, taken.bytes];
  try {
    for await (const page of client.pull({ state: state.pull, signal: stopping })) {
      const packed = await pack(page);
      bytes += packed.bytes;
      if (bytes > inventories.maxBytes) throw tooLarge(inventories.maxBytes);
      state = { ...state, pull: page.state };
      const stored = { seq, state, ...packed };
      await tenants.write(tenantId, (db) => storePage(db, held, stored));
      progress.stalls = 0;
      if (packed.data !== null) seq += 1;
      if (performance.now() >= endsAt && !isComplete(state.pull)) return null;
    }
  } catch (error) {
    if (!(error instanceof GoogleCloudError) || error.code !== 'page_token_expired') throw error;
    if (state.restarts >= RESTARTS_MAX) throw error;
    const again = { pull: startPull(parent, new Date()), restarts: state.restarts + 1 };
    await tenants.write(tenantId, (db) => restartPull(db, held, again));
    return null;
  }
  return state;
}

/**
 * The source that a pull was queued for. A request that deletes or replaces a source fails the pull in progress, but it
 * cannot see one that is not committed yet. Another credential for the same parent gives the same inventory.
 * @throws {SourceChanged}
 */
async function sourceOf(
  db: TenantConnection,
  { projectId, parent }: TakenPull,
): Promise<SourceRow> {
  const source = await findSource(db, projectId);
  if (source === null) throw new SourceChanged(SOURCE_DELETED);
  if (source.parent !== parent) throw new SourceChanged(SOURCE_REPLACED);
  return source;
}

async function pack({ records }: PulledPage): Promise<{ data: Buffer | null; bytes: number }> {
  if (records.length === 0) return { data: null, bytes: 0 };
  const plain = Buffer.from(`${records.join('\n')}\n`);
  return { data: await compress(plain, { level: COMPRESSION_LEVEL }), bytes: plain.length };
}

function tooLarge(maxBytes: number): GoogleCloudError {
  return new GoogleCloudError(
    'invalid_response',
    `The inventory is larger than ${maxBytes} bytes, which is the limit of this service.`,
    'Pull its folders or projects separately.',
  );
}

/** Stores the inventory as an upload would, and ends the pull in the transaction that activates it. */
async function store(
  services: PullServices,
  held: HeldTurn,
  taken: TakenPull,
  { pull }: StoredState,
  stopping: AbortSignal,
): Promise<void> {
  const { tenants, clock, inventories } = services;
  const { projectId, createdBy } = taken;
  let bytes = 0;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let seq = 0; ; seq += 1) {
      stopping.throwIfAborted();
      const data = await tenants.read(held.tenantId, (db) => readPage(db, held.pullId, seq));
      if (data === null) return;
      const plain = await decompress(data);
      bytes += plain.length;
      for (let at = 0; at < plain.length; at += PIECE_BYTES) {
        yield plain.subarray(at, at + PIECE_BYTES);
      }
    }
  }
  const at = clock.now();
  await storeInventory(
    tenants,
    {
      tenantId: held.tenantId,
      project: { id: projectId },
      createdAt: at,
      pack: (seed) =>
        new PackingBySize(
          { body: pieces(), format: 'ndjson', maxBytes: inventories.maxBytes },
          seed,
          inventories.packing,
        ),
      bytes: () => bytes,
      refusedKinds: pull.missing.map(({ contentType }) => contentType),
      confirm: async (db, stored) => {
        // The project is locked here, so a request that changes the source has ended or comes later.
        await sourceOf(db, taken);
        const { name } = await db.prisma.project.findFirstOrThrow({
          where: { tenantId: db.tenantId, id: projectId },
          select: { name: true },
        });
        const status = pull.missing.length === 0 ? 'completed' : 'partial';
        const { id: inventoryId, assets } = stored;
        await completePull(db, held, { status, inventoryId, assets, at: clock.now() });
        await writeAudit(
          db,
          { ip: '', correlationId: newId(), at: clock.now() },
          {
            action: 'source.pulled',
            outcome: 'success',
            actor: createdBy,
            subject: name,
            detail: { pullId: held.pullId, inventoryId, assets, bytes: stored.bytes, status },
          },
        );
      },
    },
    inventories,
  );
}
