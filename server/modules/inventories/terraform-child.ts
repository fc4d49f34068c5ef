import { InventoryError, type InventoryRecord, readInventory } from '@cspm/scanner';
import { answerRequests } from '../../platform/child-process/answer-requests.ts';
import { SkippedNotes } from './skipped-resources.ts';
import type { TerraformAnswer, TerraformRequest } from './terraform-messages.ts';

/*
 * Converts one Terraform document to inventory records, in a process of its own: parsing and resolving references runs
 * synchronously and can take seconds. The parent asks for each batch, so at most one batch is in transit.
 */

const [computeMs = 0, residentMb = 0, maxDocumentBytes = 0, maxBytes = 0, maxRecordBytes = 0] =
  process.argv.slice(2).map(Number);
/** A batch ends at the first of these. The serving thread reads a batch in about a millisecond. */
const BATCH_CHARACTERS = 128 * 1024;
const BATCH_RECORDS = 250;

let slices: Uint8Array[] = [];
const skipped = new SkippedNotes();
let records: AsyncIterator<InventoryRecord, void> | null = null;

async function answerTo(request: TerraformRequest): Promise<TerraformAnswer> {
  if (request.kind === 'slice') {
    slices.push(request.data);
    return { kind: 'taken' };
  }
  try {
    records ??= readInventory(received(), {
      format: 'json',
      maxBytes,
      maxRecordBytes,
      maxDocumentBytes,
      onSkipped: (resource) => skipped.note(resource),
    });
    return await nextBatch(records);
  } catch (error) {
    if (!(error instanceof InventoryError)) throw error;
    const { code, line, message } = error;
    return { kind: 'refused', code, line, message };
  }
}

/** The slices, each of which is released once it is read. */
async function* received(): AsyncGenerator<Uint8Array> {
  const all = slices;
  slices = [];
  for (let slice = all.shift(); slice !== undefined; slice = all.shift()) yield slice;
}

async function nextBatch(from: AsyncIterator<InventoryRecord, void>): Promise<TerraformAnswer> {
  const batch: InventoryRecord[] = [];
  let isLast = false;
  for (let characters = 0; characters < BATCH_CHARACTERS && batch.length < BATCH_RECORDS; ) {
    const next = await from.next();
    if (next.done === true) {
      isLast = true;
      break;
    }
    batch.push(next.value);
    characters += next.value.text.length;
  }
  return { kind: 'records', records: batch, isLast, skipped: skipped.summary };
}

// The whole document is one piece of work: its computing time adds up over all batches.
answerRequests({ evaluationMs: computeMs, wholeMs: computeMs, residentMb }, answerTo);
