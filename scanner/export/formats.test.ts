import { describe, expect, it } from 'vitest';
import { CONTEXT, exported, written } from '../testing/exported.ts';
import type { ExportedFinding } from './exported-finding.ts';
import { EXPORTS } from './formats.ts';
import { ndjsonOf } from './ndjson.ts';

describe('findings as NDJSON', () => {
  it('findings as NDJSON are the findings of the API, one per line', async () => {
    const findings = [exported(), exported({ message: 'two\nlines\u2028' }), exported()];
    const text = await written(ndjsonOf, findings, 2);
    const lines = text.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual(findings);
    expect(await written(ndjsonOf, [])).toBe('');
  });
});

describe.each(Object.entries(EXPORTS))('an export as %s', (_name, { write }) => {
  it('an export asks for a page only when the previous one has been consumed', async () => {
    let asked = 0;
    async function* pages(): AsyncGenerator<ExportedFinding[]> {
      for (; asked < 100; ) {
        asked += 1;
        yield [exported(), exported()];
      }
    }
    const pieces = write(pages(), CONTEXT);
    for (let taken = 1; taken <= 5; taken += 1) {
      expect((await pieces.next()).done).toBe(false);
      expect(asked).toBe(taken);
    }
    await pieces.return(undefined);
    expect(asked).toBe(5);
  });

  it('an export sends nothing before its first page, so that a failure can still be answered', async () => {
    // biome-ignore lint/correctness/useYield: it fails before it has anything
    async function* broken(): AsyncGenerator<ExportedFinding[]> {
      throw new Error('out of reach');
    }
    await expect(write(broken(), CONTEXT).next()).rejects.toThrow('out of reach');
  });
});
