import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RULES } from '@cspm/scanner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from './testing/command-line.ts';

const SAMPLE = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));
const RULE = `
id: bucket-named-ok
title: Bucket name
severity: high
assetTypes: [storage.googleapis.com/Bucket]
predicate: resource.data.name.startsWith("ok-")
recommendation: Rename the bucket.
`;

describe('cspm scan --rules', () => {
  const cspm = commandLine();
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cspm-own-rules-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  const scanWith = async (text: string) => {
    const file = join(folder, 'rules.yaml');
    await writeFile(file, text);
    return cspm(['scan', '--local', SAMPLE, '--fail-on', 'never', '--rules', file]);
  };

  it('cspm scan --rules refuses a rule with the id of a built-in rule, whose findings it would hide', async () => {
    const { code, output, messages } = await scanWith(RULE.replace('-named-ok', '-public'));
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(messages).toContain('bucket-public is the id of a built-in rule; choose another');
  });

  it.each(['', '\n', '[]', '# nothing yet\n', '---\n'])(
    'cspm scan --rules refuses the file %j, which contains no rule',
    async (text) => {
      const { code, output, messages } = await scanWith(text);
      expect({ code, output }).toEqual({ code: 2, output: '' });
      expect(messages).toContain('rules.yaml contains no rule');
    },
  );

  it.each([RULE, `${RULE}---\n`, RULE.replaceAll('\n', '\r\n')])(
    'cspm scan --rules reads %j as one rule',
    async (text) => {
      const { code, messages } = await scanWith(text);
      expect(code).toBe(0);
      expect(messages).toContain(`with ${RULES.length + 1} rules`);
    },
  );
});
