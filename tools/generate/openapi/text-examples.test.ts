import { contract, SarifLog } from '@cspm/contract';
import { EXPORTS } from '@cspm/scanner';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { textExample } from './text-examples.ts';

const finding = contract.findings.get.responses[200].meta()?.['example'];

async function exported(format: keyof typeof EXPORTS): Promise<string> {
  let text = '';
  for await (const part of EXPORTS[format].write([[finding as never]], {
    ruleOf: () => undefined,
  })) {
    text += part;
  }
  return text;
}

const exampleOf = (mediaType: string) => textExample('findingsExport', mediaType, () => finding);

test('findings are exported as in the text examples', async () => {
  expect(exampleOf('text/csv')).toBe(await exported('csv'));
  expect(exampleOf('application/x-ndjson')).toBe(await exported('ndjson'));
});

test('the SARIF example has the members of a real export', async () => {
  const real = JSON.parse(await exported('sarif'));
  const example = SarifLog.meta()?.['example'] as z.output<typeof SarifLog>;
  const { $schema, version, runs } = example;
  const [result] = runs[0]?.results ?? [];
  const { tool: _tool, ...run } = runs[0] ?? {};
  expect(real).toMatchObject({ $schema, version, runs: [{ ...run, results: [result] }] });
});

test('a SARIF export has exactly the members of its schema', async () => {
  const real = JSON.parse(await exported('sarif'));
  expect(SarifLog.parse(real)).toEqual(real);
});

test('JSON and types without an example have no text example', () => {
  expect(textExample('findingsGet', 'application/json', () => finding)).toBeUndefined();
});
