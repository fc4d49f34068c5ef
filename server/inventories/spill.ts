import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { InventoryRecord } from '@cspm/scanner';

/** Records that wait on disk, by partition. */
export interface Spill {
  append(partition: number, records: readonly InventoryRecord[]): Promise<void>;
  read(partition: number): Promise<InventoryRecord[]>;
  close(): Promise<void>;
}

/** A temporary folder with a file for each partition. */
export class SpillFolder implements Spill {
  readonly #folder: string;
  readonly #partitions = new Set<number>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(): Promise<SpillFolder> {
    return new SpillFolder(await mkdtemp(join(tmpdir(), 'cspm-intake-')));
  }

  async append(partition: number, records: readonly InventoryRecord[]): Promise<void> {
    this.#partitions.add(partition);
    const lines = records.map((record) => `${headOf(record)}\t${record.text}\n`);
    await appendFile(this.#file(partition), lines.join(''));
  }

  async read(partition: number): Promise<InventoryRecord[]> {
    if (!this.#partitions.has(partition)) return [];
    const records: InventoryRecord[] = [];
    const input = createReadStream(this.#file(partition));
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      records.push(recordFrom(line));
    }
    return records;
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  #file(partition: number): string {
    return join(this.#folder, String(partition));
  }
}

/** JSON writes a tab within a string as \t, so the first raw tab of a line ends its head. */
function headOf(record: InventoryRecord): string {
  return JSON.stringify([record.line, record.name, record.type, record.kinds, record.updateTime]);
}

function recordFrom(line: string): InventoryRecord {
  const tab = line.indexOf('\t');
  const [number, name, type, kinds, updateTime] = JSON.parse(line.slice(0, tab));
  return { line: number, name, type, kinds, updateTime, text: line.slice(tab + 1) };
}
