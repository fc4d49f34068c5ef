import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { randomSeed } from '@cspm/scanner';
import { describe, expect, it, vi } from 'vitest';
import { manyClusters, ndjson } from '../../../tests/kit/export-records.ts';
import { until } from '../../../tests/kit/until.ts';
import type { Chunk } from './chunks.ts';
import type { PackedInventory } from './pack-inventory.ts';
import { type InventorySource, PackingBySize } from './packing.ts';
import { PACKING_LIMITS, PackingFailed, PackingProcesses } from './packing-process.ts';
import { REFERENCES_MAX, TooManyReferences } from './reference-budget.ts';

const SEED = randomSeed();
const MIB = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

/** About 9 MB, and records that give warnings. */
const RECORDS = [...manyClusters(300, 30_000), ...manyClusters(3, 1_000)];

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

function sourceOf(
  body: string | AsyncIterable<Uint8Array>,
  more: Partial<InventorySource> = {},
): InventorySource {
  const bytes = typeof body === 'string' ? pieces(body) : body;
  return { body: bytes, format: 'ndjson', maxBytes: 512 * MIB, ...more };
}

/** Packs a whole inventory. @param onChunk called with each chunk */
async function pack(
  source: InventorySource,
  processes: PackingProcesses,
  onChunk: (chunk: Chunk) => void = () => undefined,
): Promise<{ chunks: Chunk[]; packed: PackedInventory }> {
  const packing = new PackingBySize(source, SEED, processes);
  const chunks: Chunk[] = [];
  try {
    for await (const chunk of packing.chunks()) {
      onChunk(chunk);
      chunks.push(chunk);
    }
    return { chunks, packed: packing.result() };
  } finally {
    await packing.close();
  }
}

/** Comparable, and equal only for the same bytes. */
function digestsOf({ chunks, packed }: Awaited<ReturnType<typeof pack>>) {
  const bytes = ({ data }: Chunk) => createHash('sha256').update(data).digest('hex');
  return { packed, chunks: chunks.map((chunk) => ({ ...chunk, data: bytes(chunk) })) };
}

/** Without any process. */
const none = () => new PackingProcesses({ ...PACKING_LIMITS, processes: 0 });

describe('a large inventory', () => {
  it.each([
    ['NDJSON', 'ndjson', ndjson(RECORDS)],
    ['a JSON array', 'json', JSON.stringify(RECORDS)],
    ['a JSON array with a byte order mark', 'json', `\uFEFF${JSON.stringify(RECORDS)}`],
  ] as const)(
    'a large inventory in %s is packed in a process of its own, into the same chunks as in the process that receives it',
    async (_name, format, text) => {
      const processes = new PackingProcesses();
      const pids = new Set<number>();
      const elsewhere = await pack(sourceOf(text, { format }), processes, () => {
        for (const pid of processes.pids) pids.add(pid);
      });
      expect(pids.size).toBe(1);
      expect(processes.pids).toEqual([]);
      expect(elsewhere.chunks.length).toBeGreaterThan(1);
      expect(elsewhere.packed.summary).toMatchObject({ assets: 300, warningCount: 3 });
      const here = await pack(sourceOf(text, { format }), none());
      expect(digestsOf(here)).toEqual(digestsOf(elsewhere));
    },
  );

  it.each([
    ['a line of more than 256 KiB', 'ndjson', (long: string) => `${long}\n`],
    ['more than 256 KiB of JSON', 'json', (long: string) => `[${long}]`],
  ] as const)(
    'an inventory with %s is packed in a process of its own',
    async (_what, format, as) => {
      const record = (length: number) =>
        as(
          JSON.stringify({
            name: '//long',
            asset_type: 'a/B',
            resource: { data: 'x'.repeat(length) },
          }),
        );
      const processesFor = async (text: string) => {
        const processes = new PackingProcesses();
        const pids = new Set<number>();
        const { packed } = await pack(sourceOf(text, { format }), processes, () => {
          for (const pid of processes.pids) pids.add(pid);
        });
        expect(packed.summary).toMatchObject({ assets: 1 });
        return pids.size;
      };
      expect(await processesFor(record(320 * 1024))).toBe(1);
      expect(await processesFor(record(192 * 1024))).toBe(0);
    },
  );

  it('a large inventory is packed by the process that receives it while as many processes as allowed are running', async () => {
    const processes = new PackingProcesses({ ...PACKING_LIMITS, processes: 1 });
    const first = new PackingBySize(sourceOf(ndjson(RECORDS)), SEED, processes);
    const chunks = first.chunks()[Symbol.asyncIterator]();
    const begun = await chunks.next();
    const running = processes.pids;
    expect(running).toHaveLength(1);
    const second = await pack(sourceOf(ndjson(RECORDS)), processes, () => {
      expect(processes.pids).toEqual(running);
    });
    expect(second.chunks[0]).toEqual(begun.value);
    await first.close();
    expect(processes.pids).toEqual([]);
  });

  it.each([
    ['a faulty line', `${ndjson(RECORDS)}{`, { code: 'malformed', line: 304 }],
    ['too many bytes', ndjson(RECORDS), { code: 'too_large' }, { maxBytes: 5 * MIB }],
  ])(
    'a large inventory with %s is refused as a small one is, and its process is ended',
    async (_what, text, error, more: Partial<InventorySource> = {}) => {
      const processes = new PackingProcesses();
      await expect(pack(sourceOf(text, more), processes)).rejects.toMatchObject(error);
      expect(processes.pids).toEqual([]);
      await expect(pack(sourceOf(text, more), none())).rejects.toMatchObject(error);
    },
  );

  it.each([
    ['in a process of its own', () => new PackingProcesses()],
    ['in the process that receives it', none],
  ])(
    'the source of a large inventory learns that it was refused before its end %s',
    async (_where, processes) => {
      let isEnded = false;
      async function* body() {
        try {
          yield* pieces(`{\n${ndjson(RECORDS)}`);
          throw new Error('The whole body was read');
        } finally {
          isEnded = true;
        }
      }
      await expect(pack(sourceOf(body()), processes())).rejects.toMatchObject({ line: 1 });
      await until('the end of the source', () => Promise.resolve(isEnded));
    },
  );

  it('a large inventory with more assets that rules look up than a scan can hold is refused', async () => {
    const lineOf = (at: number) =>
      `{"name":"//m/${at}","asset_type":"logging.googleapis.com/LogMetric","resource":{"data":{"filter":"a"}}}\n`;
    const lines = Array.from({ length: REFERENCES_MAX + 1 }, (_, at) => lineOf(at));
    await expect(pack(sourceOf(lines.join('')), new PackingProcesses())).rejects.toThrow(
      TooManyReferences,
    );
  });

  it('a large inventory that breaks off is never packed, and fails with the error of its body', async () => {
    const processes = new PackingProcesses();
    async function* broken() {
      yield* pieces(ndjson(RECORDS));
      throw new Error('The connection was closed');
    }
    let chunks = 0;
    await expect(
      pack(sourceOf(broken()), processes, () => {
        chunks += 1;
      }),
    ).rejects.toThrow('The connection was closed');
    expect(chunks).toBe(0);
    expect(processes.pids).toEqual([]);
  });

  it('a large inventory whose process is killed while it is received fails as one that the server cannot pack now', async () => {
    const processes = new PackingProcesses();
    async function* received() {
      yield* pieces(ndjson(RECORDS));
      for (const pid of processes.pids) process.kill(pid, 'SIGKILL');
      yield* pieces(ndjson(RECORDS));
    }
    await expect(pack(sourceOf(received()), processes)).rejects.toThrow(PackingFailed);
    expect(processes.pids).toEqual([]);
  });

  it('a large inventory whose process takes more memory than allowed fails as one that the server cannot pack now', async () => {
    const processes = new PackingProcesses({ ...PACKING_LIMITS, initialHeapMb: 4, memoryMb: 4 });
    await expect(pack(sourceOf(ndjson(RECORDS)), processes)).rejects.toThrow(
      /more than 4 MB of memory/,
    );
    expect(processes.pids).toEqual([]);
  });
});

describe('while all processes are taken', () => {
  it.each(['ndjson', 'json'] as const)(
    'a large inventory in %s with a record of more than 256 KiB fails as one that the server cannot pack now, before the record is parsed',
    async (format) => {
      const [long] = manyClusters(1, 300 * 1024);
      const records = [...RECORDS, { ...long, name: '//long' }];
      const text = format === 'json' ? JSON.stringify(records) : ndjson(records);
      const parse = vi.spyOn(JSON, 'parse');
      try {
        await expect(pack(sourceOf(text, { format }), none())).rejects.toThrow(PackingFailed);
        const lengths = parse.mock.calls.map(([parsed]) => parsed.length);
        expect(Math.max(...lengths)).toBeLessThan(256 * 1024);
      } finally {
        parse.mockRestore();
      }
      const { packed } = await pack(sourceOf(text, { format }), new PackingProcesses());
      expect(packed.summary).toMatchObject({ assets: 301 });
    },
  );
});

describe('no process is started', () => {
  it('no process is started for an inventory of up to 4 MiB', async () => {
    const processes = new PackingProcesses();
    const few = await pack(sourceOf(ndjson(manyClusters(130, 30_000))), processes, () => {
      expect(processes.pids).toEqual([]);
    });
    expect(few.packed.summary.assets).toBe(130);
  });

  it('no process is started for a Terraform document, which has one of its own', async () => {
    const processes = new PackingProcesses();
    const document = `{"resource_changes":[],"padding":"${'x'.repeat(5 * MIB)}"}`;
    let converted = 0;
    const convertDocument = (pieces: readonly Uint8Array[]) => {
      converted = Buffer.concat(pieces).length;
      expect(processes.pids).toEqual([]);
      return Readable.from([]);
    };
    const { packed } = await pack(
      sourceOf(`\uFEFF${document}`, { format: 'json', convertDocument }),
      processes,
    );
    expect(converted).toBe(document.length);
    expect(packed.summary.assets).toBe(0);
  });
});
