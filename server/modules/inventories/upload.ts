import { InventoryError } from '@cspm/scanner';
import { actorOf, type Origin, writeAudit } from '../../platform/audit-writer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TenantDatabase } from '../../platform/database/tenant-database.ts';
import type { Principal } from '../../platform/principal.ts';
import { notFound, ProblemError, validationFailed } from '../../platform/problem.ts';
import type { TransferPace } from '../../platform/transfer-pace.ts';
import { type InventorySource, PackingBySize } from './packing.ts';
import { isLackOfCapacity, type PackingProcesses } from './packing-process.ts';
import { shownOf } from './queries.ts';
import { TooManyReferences } from './reference-budget.ts';
import { storeInventory } from './store-inventory.ts';
import { SenderGone, type TerraformConverter } from './terraform-process.ts';
import type { UploadClient, UploadSlots } from './upload-slots.ts';

/** Retry-After while the disk is full; other uploads may have ended by then. */
const ROOM_AFTER_SECONDS = '30';

export interface UploadOptions {
  readonly maxBytes: number;
  readonly kept: number;
  readonly clock: Clock;
  readonly slots: UploadSlots;
  readonly terraform: TerraformConverter;
  readonly packing: PackingProcesses;
}

export interface Upload {
  readonly project: string;
  readonly format: 'ndjson' | 'json';
  /** The decompressed bytes. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly principal: Principal;
  readonly origin: Origin;
  /** Whether the client has disconnected. Called only while a Terraform document is converted. */
  readonly isAbandoned: () => boolean;
  /** Throws if the caller may no longer upload, after the body has arrived. */
  readonly reauthorize: () => Promise<void>;
  /** Null if the body comes from this machine. */
  readonly client: UploadClient | null;
}

/**
 * Stores an uploaded inventory. After a failure the previous inventory stays active.
 * @throws {ProblemError} NOT_FOUND for the project, VALIDATION_FAILED with the line, PAYLOAD_TOO_LARGE, RATE_LIMITED
 * when too many uploads of the tenant are running, SERVICE_UNAVAILABLE when too many run in total or temporary files do
 * not fit on the disk.
 */
export async function ingest(tenants: TenantDatabase, upload: Upload, options: UploadOptions) {
  return options.slots.run(
    upload.principal.tenant.id,
    (pace) => ingestUpload(tenants, upload, options, pace),
    upload.client,
    () => requireProject(tenants, upload),
  );
}

/** @throws {ProblemError} NOT_FOUND */
async function requireProject(
  tenants: TenantDatabase,
  { principal, project }: Upload,
): Promise<void> {
  const tenantId = principal.tenant.id;
  const found = await tenants.read(tenantId, ({ prisma }) =>
    prisma.project.findUnique({
      where: { tenantId_name: { tenantId, name: project } },
      select: { id: true },
    }),
  );
  if (found === null) throw notFound();
}

async function ingestUpload(
  tenants: TenantDatabase,
  upload: Upload,
  options: UploadOptions,
  pace: TransferPace,
) {
  const { principal, origin, project } = upload;
  const tenantId = principal.tenant.id;
  const received = new ReceivedBody(upload, options, pace);
  try {
    const { id, bytes, summary, locations } = await storeInventory(
      tenants,
      {
        tenantId,
        project: { name: project },
        createdAt: origin.at,
        pack: (seed) => new PackingBySize(received.source, seed, options.packing),
        bytes: () => received.bytes,
        // Not in the transaction, which must not wait for a connection that reads credentials.
        stored: upload.reauthorize,
        confirm: async (db, { id, assets, bytes }) => {
          // Not the time of the request, which may have begun before the end of an earlier export of the trail.
          await writeAudit(
            db,
            { ...origin, at: options.clock.now() },
            {
              action: 'inventory.uploaded',
              outcome: 'success',
              actor: actorOf(principal),
              targetTenantId: tenantId === principal.homeTenantId ? null : tenantId,
              subject: project,
              detail: { inventoryId: id, assets, bytes },
            },
          );
        },
      },
      options,
    );
    return { id, bytes, ...shownOf(summary), locations, createdAt: origin.at.toISOString() };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** The request body ended early or could not be decompressed. */
class BrokenBody extends Error {
  constructor(options: ErrorOptions) {
    super('The body of an upload was aborted', options);
  }
}

/** The body of an upload, and how much of it was read. */
class ReceivedBody {
  readonly #upload: Upload;
  readonly #options: UploadOptions;
  readonly #pace: TransferPace;
  /** Its decompressed size so far. */
  bytes = 0;

  constructor(upload: Upload, options: UploadOptions, pace: TransferPace) {
    this.#upload = upload;
    this.#options = options;
    this.#pace = pace;
  }

  get source(): InventorySource {
    const { maxBytes, terraform } = this.#options;
    const { format, principal, isAbandoned } = this.#upload;
    return {
      body: this.#counted(),
      format,
      maxBytes,
      sender: { tenantId: principal.tenant.id, pace: this.#pace },
      // In another process, because the conversion is synchronous and can take seconds.
      convertDocument: (document, onSkipped) =>
        terraform.convert(document, {
          tenantId: principal.tenant.id,
          maxBytes,
          isAbandoned,
          onSkipped,
        }),
    };
  }

  async *#counted() {
    this.#pace.beginWaiting();
    try {
      for await (const piece of this.#upload.body) {
        this.#pace.endWaiting();
        this.bytes += piece.length;
        yield piece;
        this.#pace.beginWaiting();
      }
    } catch (error) {
      throw new BrokenBody({ cause: error });
    } finally {
      this.#pace.endWaiting();
    }
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof InventoryError) {
    return error.code === 'too_large'
      ? new ProblemError('PAYLOAD_TOO_LARGE', `${error.place}: ${error.message}`)
      : validationFailed([{ path: error.place, message: error.message }]);
  }
  if (error instanceof TooManyReferences) {
    return new ProblemError('PAYLOAD_TOO_LARGE', error.message);
  }
  if (error instanceof BrokenBody || error instanceof SenderGone) {
    return validationFailed([
      {
        path: 'body',
        message:
          'is truncated, goes on after its end, or is not gzip although Content-Encoding says so',
      },
    ]);
  }
  if (isLackOfCapacity(error)) {
    return new ProblemError(
      'SERVICE_UNAVAILABLE',
      'The server has no capacity for an upload of this size at the moment. The inventory is unchanged; try again later.',
      { headers: { 'Retry-After': ROOM_AFTER_SECONDS }, cause: error },
    );
  }
  return error;
}
