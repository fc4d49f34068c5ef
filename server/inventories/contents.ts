import type { ContentKind, InventoryRecord, MergedAsset } from '@cspm/scanner';

/** What an inventory holds, beyond its assets and their types: what scans and preflight ask about it. */
export interface InventoryContents {
  /** References to cloud projects that its assets gave; the first ones of many. */
  readonly projects: readonly string[];
  /** How many assets it says something of each kind of. */
  readonly kinds: Readonly<Partial<Record<ContentKind, number>>>;
  /** How many assets of each type come with an IAM policy. */
  readonly policies: readonly { readonly type: string; readonly count: number }[];
  /** When the last change was made that it shows, by the clock of the cloud. Null: it does not tell. */
  readonly newestUpdate: string | null;
}

const MOST_PROJECTS = 1_000;

/** Notes down, while an inventory is taken in, what it holds. Its memory is bounded. */
export class ContentsNotes {
  readonly #projects = new Set<string>();
  readonly #kinds = new Map<ContentKind, number>();
  readonly #policies = new Map<string, number>();
  #newest = Number.NEGATIVE_INFINITY;

  /** As it stands in the export. */
  record({ project, updateTime }: InventoryRecord): void {
    if (project !== null && this.#projects.size < MOST_PROJECTS) this.#projects.add(project);
    const updated = updateTime === null ? Number.NaN : Date.parse(updateTime);
    if (updated > this.#newest) this.#newest = updated;
  }

  /** Merged from all of its records. */
  asset({ type, kinds }: MergedAsset): void {
    for (const kind of kinds) this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    if (kinds.includes('IAM_POLICY')) {
      this.#policies.set(type, (this.#policies.get(type) ?? 0) + 1);
    }
  }

  contents(): InventoryContents {
    return {
      projects: [...this.#projects],
      kinds: Object.fromEntries(this.#kinds),
      policies: [...this.#policies].map(([type, count]) => ({ type, count })),
      newestUpdate: Number.isFinite(this.#newest) ? new Date(this.#newest).toISOString() : null,
    };
  }
}
