import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportedFinding } from '@cspm/scanner';
import { jsonLines } from './json-lines.ts';
import { SEVERITIES, type Severity } from './severity.ts';

/** The number of findings in a page. */
const PAGE = 200;
const HELD_CHARACTERS = 16 * 1024 * 1024;

/**
 * Sorts findings by severity, most severe first, in bounded memory. Findings beyond the bound go to one temporary file per
 * severity. Within a severity, findings are sorted by rule, asset and subject if they all fit into memory.
 */
export class FindingStore {
  readonly #held = new Map<Severity, ExportedFinding[]>();
  readonly #spilled = new Set<Severity>();
  readonly #mostHeld: number;
  #characters = 0;
  #folder: string | null = null;

  /** @param heldCharacters the number of characters of JSON that may stay in memory */
  constructor(heldCharacters = HELD_CHARACTERS) {
    this.#mostHeld = heldCharacters;
  }

  async add(finding: ExportedFinding): Promise<void> {
    const alike = this.#held.get(finding.severity);
    if (alike === undefined) this.#held.set(finding.severity, [finding]);
    else alike.push(finding);
    this.#characters += JSON.stringify(finding).length;
    if (this.#characters > this.#mostHeld) await this.#spill();
  }

  /** Returns all findings. Call it once, after the last `add`. */
  async *pages(): AsyncGenerator<ExportedFinding[]> {
    for (const severity of SEVERITIES) {
      if (this.#spilled.has(severity)) yield* paged(this.#readBack(severity));
      yield* paged((this.#held.get(severity) ?? []).toSorted(byRuleAndAsset));
    }
  }

  /** Removes the temporary files. */
  async close(): Promise<void> {
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true });
    this.#folder = null;
  }

  async #spill(): Promise<void> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'cspm-findings-'));
    for (const [severity, findings] of this.#held) {
      const lines = findings.toSorted(byRuleAndAsset).map((one) => `${JSON.stringify(one)}\n`);
      await appendFile(join(this.#folder, severity), lines.join(''), { mode: 0o600 });
      this.#spilled.add(severity);
    }
    this.#held.clear();
    this.#characters = 0;
  }

  #readBack(severity: Severity): AsyncGenerator<ExportedFinding> {
    return jsonLines(createReadStream(join(this.#folder ?? '', severity), 'utf8'));
  }
}

async function* paged(
  findings: Iterable<ExportedFinding> | AsyncIterable<ExportedFinding>,
): AsyncGenerator<ExportedFinding[]> {
  let page: ExportedFinding[] = [];
  for await (const finding of findings) {
    page.push(finding);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

function byRuleAndAsset(a: ExportedFinding, b: ExportedFinding): number {
  return (
    compare(a.ruleId, b.ruleId) ||
    compare(a.asset.name, b.asset.name) ||
    compare(a.subject, b.subject)
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
