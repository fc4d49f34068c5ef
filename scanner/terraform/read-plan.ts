import { withoutByteOrderMark } from '../inventory/byte-order-mark.ts';
import { InventoryError } from '../inventory/inventory-error.ts';
import type { JsonObject } from '../json.ts';
import { isPlan } from './plan-states.ts';
import { TerraformReader } from './reader.ts';

/** `terraform plan -out` writes a zip archive. */
const ZIP = Buffer.from('PK\x03\x04', 'latin1');
const BINARY =
  'This is a plan in the binary form of `terraform plan -out`. Convert it with `terraform show -json plan.bin > plan.json`.';

/**
 * Reads the output of `terraform show -json` for a plan.
 * @throws InventoryError for anything else, and for a document beyond the limits
 */
export async function readPlan(source: AsyncIterable<Uint8Array>): Promise<JsonObject> {
  const reader = new TerraformReader();
  let isFirst = true;
  for await (const chunk of withoutByteOrderMark(source)) {
    if (isFirst && chunk.subarray(0, ZIP.length).equals(ZIP)) {
      throw new InventoryError('malformed', 1, BINARY);
    }
    isFirst = false;
    reader.push(chunk);
  }
  const document = reader.document();
  if (document === null || !isPlan(document)) {
    throw new InventoryError(
      'malformed',
      1,
      'This is not a Terraform plan. Create the file with `terraform plan -out=plan.bin` and `terraform show -json plan.bin`.',
    );
  }
  return document;
}
