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

test('findings are exported as the examples show them', async () => {
  expect(exampleOf('text/csv')).toBe(await exported('csv'));
  expect(exampleOf('application/x-ndjson')).toBe(await exported('ndjson'));
});

test('the SARIF example matches a real one', async () => {
  const real = JSON.parse(await exported('sarif'));
  const example = SarifLog.meta()?.['example'] as z.output<typeof SarifLog>;
  const { $schema, version, runs } = example;
  const [result] = runs[0]?.results ?? [];
  const { tool: _tool, ...run } = runs[0] ?? {};
  expect(real).toMatchObject({ $schema, version, runs: [{ ...run, results: [result] }] });
});

test('a SARIF export has the members of its schema and no others', async () => {
  const real = JSON.parse(await exported('sarif'));
  expect(SarifLog.parse(real)).toEqual(real);
});

test('there is no text example of JSON or of a type without one', () => {
  expect(textExample('findingsGet', 'application/json', () => finding)).toBeUndefined();
});
