import { describe, expect, it } from 'vitest';
import { readPlan } from './read-plan.ts';

const PLAN = '{"format_version":"1.2","planned_values":{}}';

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

describe('the file of a Terraform plan', () => {
  it.each(['\ufeff', ''])(
    'a Terraform plan in UTF-16 is refused as no valid UTF-8, with the byte order mark %j',
    async (mark) => {
      for (const bytes of [
        Buffer.from(mark + PLAN, 'utf16le'),
        Buffer.from(mark + PLAN, 'utf16le').swap16(),
      ]) {
        await expect(readPlan(only(bytes))).rejects.toThrow(
          'This is not valid UTF-8. Save the export as UTF-8.',
        );
      }
    },
  );

  it('a plan in the binary form of terraform plan -out is refused with the command that converts it', async () => {
    await expect(readPlan(only(Buffer.from('PK\x03\x04\xff', 'latin1')))).rejects.toThrow(
      'Convert it with `terraform show -json plan.bin > plan.json`.',
    );
  });

  it('a text that is not JSON is refused as no Terraform plan', async () => {
    await expect(readPlan(only(Buffer.from('plan')))).rejects.toThrow(
      'This is not a Terraform plan.',
    );
  });
});
