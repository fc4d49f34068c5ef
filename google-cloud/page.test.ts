import { describe, expect, it } from 'vitest';
import { splitPage } from './page.ts';

const ASSET = { name: '//x/1', assetType: 'x/T', resource: { data: { text: '"]}[{\\' } } };

const split = (page: unknown, indent?: number) =>
  splitPage(Buffer.from(JSON.stringify(page, null, indent)));

describe('splitPage', () => {
  it('splitPage returns the assets and the token of a page, indented or not', async () => {
    const page = { readTime: '2026-01-01T00:00:00Z', assets: [ASSET, ASSET], nextPageToken: 't' };
    for (const indent of [0, 2]) {
      const { records, nextPageToken } = await split(page, indent);
      expect(records.map((record) => JSON.parse(record))).toEqual([ASSET, ASSET]);
      expect(records.join('')).not.toContain('\n');
      expect(nextPageToken).toBe('t');
    }
  });

  it('splitPage accepts pages without assets or without a token', async () => {
    expect(await split({})).toEqual({ records: [], nextPageToken: null });
    expect(await split({ assets: [], nextPageToken: '' })).toEqual({
      records: [],
      nextPageToken: null,
    });
  });

  it('splitPage finds the list of assets at the outermost level only', async () => {
    const inner = { ...ASSET, resource: { data: { assets: [1, 2], nextPageToken: 5 } } };
    const page = await split({ other: { assets: [3] }, assets: [inner] });
    expect(page.records).toHaveLength(1);
  });

  it('splitPage refuses anything else', async () => {
    const deep = `{"assets":[{"name":"a","assetType":"b","x":${'['.repeat(70)}${']'.repeat(70)}}]}`;
    const wrong = [
      '',
      'text',
      '[]',
      '{"assets":[1]}',
      '{"assets":["x"]}',
      '{"assets":[[]]}',
      '{"assets":[{"name":"a"}]}',
      '{"assets":[{"name":"a","assetType":"b"}',
      '{"assets":[{"name":"a","assetType":"b",}]}',
      '{"assets":[],"assets":[]}',
      '{"assets":[]}}',
      '{"nextPageToken":5}',
      `{"nextPageToken":"${'x'.repeat(20_000)}"}`,
      `{"x":"${'x'.repeat(100_000)}"}`,
      deep,
    ];
    for (const text of wrong) {
      await expect(splitPage(Buffer.from(text)), text.slice(0, 60)).rejects.toThrow(
        'cannot be read',
      );
    }
    await expect(splitPage(Buffer.from([0xff, 0xfe]))).rejects.toThrow('UTF-8');
  });

  it('splitPage yields to the event loop while it splits a page of 16 MB', async () => {
    const asset = {
      ...ASSET,
      resource: { data: { lists: Array.from({ length: 1_500 }, String) } },
    };
    const bytes = Buffer.from(
      JSON.stringify({ assets: Array.from({ length: 1_000 }, () => asset) }),
    );
    expect(bytes.length).toBeGreaterThan(10_000_000);
    await splitPage(bytes);
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    });
    const before = process.cpuUsage();
    await splitPage(bytes);
    clearInterval(count);
    const { user } = process.cpuUsage(before);
    // One turn in 50 ms is the limit.
    expect(turns).toBeGreaterThan(user / 1000 / 50);
  });
});
