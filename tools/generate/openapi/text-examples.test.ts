import { contract } from '@cspm/contract';
import { EXPORTS } from '@cspm/scanner';
import { expect, test } from 'vitest';
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
  const { $schema, version, runs } = JSON.parse(`${exampleOf('application/sarif+json')}`);
  expect(JSON.parse(await exported('sarif'))).toMatchObject({ $schema, version, runs });
});

test('there is no text example of JSON or of a type without one', () => {
  expect(textExample('findingsGet', 'application/json', () => finding)).toBeUndefined();
});
