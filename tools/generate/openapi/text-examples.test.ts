import { contract, SarifLog } from '@cspm/contract';
import { Evaluator, EXPORTS, parseAsset, resolveProfile, Snapshot } from '@cspm/scanner';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { textExample } from './text-examples.ts';

type FindingSchema = (typeof contract.findings.get.responses)[200];

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

test('the example of a finding is what its rule finds', () => {
  const { asset, ruleId, message, evidence, subject } = finding as z.output<FindingSchema>;
  const rules = (resolveProfile('full')?.rules ?? []).filter(({ id }) => id === ruleId);
  const bindings = [{ role: 'roles/storage.objectViewer', members: ['allUsers'] }];
  const record = { name: asset.name, asset_type: asset.type, iam_policy: { bindings } };
  const snapshot = new Snapshot({ assetTypes: new Map([[asset.type, 1]]) });
  const [evaluation] = new Evaluator({ rules }, { now: new Date(0), snapshot }).evaluate(
    parseAsset(JSON.stringify(record)),
  );
  expect(evaluation?.findings).toMatchObject([{ message, evidence, subject }]);
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
