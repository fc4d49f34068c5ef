import {
  type ContentKind,
  type InventoryRecord,
  type MergedAsset,
  ProjectNotes,
} from '@cspm/scanner';

/** Facts about an inventory that scans and preflight need, besides its assets and their types. */
export interface InventoryContents {
  /** Cloud projects that its assets refer to, up to a limit. */
  readonly projects: readonly string[];
  /**
   * Number of records that may belong to another cloud project. Undefined for inventories of releases that did not
   * count them.
   */
  readonly unplaced?: number;
  /** Number of assets with content of each kind. */
  readonly kinds: Readonly<Partial<Record<ContentKind, number>>>;
  /** Number of assets of each type with an IAM policy. */
  readonly policies: readonly { readonly type: string; readonly count: number }[];
  /** Number of assets at each of the locations with the most. Undefined for inventories of releases that did not count them. */
  readonly locations?: readonly LocationCount[];
  /** Time of the latest change according to the cloud; null when the export has no times. */
  readonly newestUpdate: string | null;
  /** Kinds that the source refused to show. Undefined for uploads, which do not tell, and for sources that show all. */
  readonly refusedKinds?: readonly ContentKind[];
  /** Number of warnings. Undefined for inventories of releases that did not count them. */
  readonly warnings?: number;
}

export interface LocationCount {
  readonly location: string;
  readonly count: number;
}

/** The contents of an inventory that was just read. */
export interface NotedContents extends InventoryContents {
  /** All that were counted, the ones with the most assets first. */
  readonly locations: readonly LocationCount[];
}

/** Locations that are counted; real inventories have fewer. Others are not noted. */
const LOCATIONS_MAX = 1_000;

/** Collects these facts during an upload, in bounded memory. */
export class ContentsNotes {
  readonly #projects = new ProjectNotes();
  readonly #kinds = new Map<ContentKind, number>();
  readonly #policies = new Map<string, number>();
  readonly #locations = new Map<string, number>();
  #newest = Number.NEGATIVE_INFINITY;

  /** Notes a record as it is in the export. */
  record(record: InventoryRecord): void {
    this.#projects.note(record);
    const { updateTime } = record;
    const updated = updateTime === null ? Number.NaN : Date.parse(updateTime);
    if (updated > this.#newest) this.#newest = updated;
  }

  /** Notes an asset merged from all its records. */
  asset({ type, kinds, location }: MergedAsset): void {
    if (location !== null) this.#locate(location);
    for (const kind of kinds) this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    if (kinds.includes('IAM_POLICY')) {
      this.#policies.set(type, (this.#policies.get(type) ?? 0) + 1);
    }
  }

  #locate(location: string): void {
    const count = this.#locations.get(location);
    if (count === undefined && this.#locations.size >= LOCATIONS_MAX) return;
    this.#locations.set(location, (count ?? 0) + 1);
  }

  contents(): NotedContents {
    return {
      projects: this.#projects.projects,
      unplaced: this.#projects.unplaced,
      kinds: Object.fromEntries(this.#kinds),
      policies: [...this.#policies].map(([type, count]) => ({ type, count })),
      locations: [...this.#locations]
        .map(([location, count]) => ({ location, count }))
        .sort((a, b) => b.count - a.count || (a.location < b.location ? -1 : 1)),
      newestUpdate: Number.isFinite(this.#newest) ? new Date(this.#newest).toISOString() : null,
    };
  }
}
