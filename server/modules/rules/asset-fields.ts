import { parseAsset } from '@cspm/scanner';
import { TurnYielder } from '../../platform/database/large-results.ts';
import type { AssetBatch } from './dry-run-assets.ts';

type Kind = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'list';

/** A member of `resource.data` in the sampled assets. */
export interface AssetField {
  /** Member names from the outermost in; `[]` stands for the elements of a list. */
  readonly path: readonly string[];
  readonly kinds: readonly Kind[];
  /** The number of sampled assets that have it. */
  readonly assets: number;
}

export interface AssetFields {
  readonly fields: readonly AssetField[];
  readonly sampled: number;
  /** Whether every asset was sampled and every field is listed. */
  readonly complete: boolean;
}

/** Assets of one type; more of them rarely have other fields. */
const ASSETS_OF_TYPE_MAX = 100;
const SAMPLE_MS = 2_000;
const FIELDS_MAX = 500;
const DEPTH_MAX = 8;
const ELEMENTS_MAX = 10;
const NAME_MAX = 100;
/** Values to look at in one asset. */
const VALUES_MAX = 5_000;

const ELEMENT = '[]';

/** Lists the fields of assets by name and kind, never a value, from a sample of each type, in turns of the tenant. */
export async function fieldsOf(
  tenantId: string,
  batches: AsyncIterable<AssetBatch>,
  types: readonly string[],
): Promise<AssetFields> {
  const until = performance.now() + SAMPLE_MS;
  const yielder = new TurnYielder(tenantId);
  const left = new Map(types.map((type) => [type, ASSETS_OF_TYPE_MAX]));
  const found = new FieldIndex();
  let sampled = 0;
  let complete = true;
  for await (const batch of batches) {
    if (!batch.complete) complete = false;
    for (const { type, text } of batch.assets) {
      const more = left.get(type) ?? 0;
      if (more === 0 || performance.now() > until) {
        complete = false;
        continue;
      }
      left.set(type, more - 1);
      if (yielder.isDue) await yielder.yieldNow();
      found.add(parseAsset(text).data);
      sampled += 1;
    }
    if (performance.now() > until || [...left.values()].every((more) => more === 0)) {
      complete = false;
      break;
    }
  }
  return { fields: found.list(), sampled, complete: complete && !found.isCut };
}

interface Found {
  readonly path: readonly string[];
  readonly kinds: Set<Kind>;
  assets: number;
}

class FieldIndex {
  /** Whether something was left out. */
  isCut = false;
  readonly #fields = new Map<string, Found>();

  /** Walks level by level, so that the limits leave out the deepest fields. */
  add(data: unknown): void {
    const seen = new Set<Found>();
    let level: (readonly [path: readonly string[], value: unknown])[] = membersOf([], data);
    let values = 0;
    for (let depth = 1; level.length > 0; depth += 1) {
      const below: (readonly [readonly string[], unknown])[] = [];
      for (const [path, value] of level) {
        values += 1;
        const field = values > VALUES_MAX ? null : this.#field(path);
        if (field === null) {
          this.isCut = true;
          continue;
        }
        field.kinds.add(kindOf(value));
        if (!seen.has(field)) field.assets += 1;
        seen.add(field);
        const members = membersOf(path, value);
        if (depth < DEPTH_MAX) below.push(...members);
        else if (members.length > 0) this.isCut = true;
      }
      level = below;
    }
  }

  /** The fields that most assets have come first. */
  list(): AssetField[] {
    return [...this.#fields.values()]
      .toSorted((a, b) => b.assets - a.assets || a.path.length - b.path.length)
      .map(({ path, kinds, assets }) => ({ path, kinds: [...kinds].toSorted(), assets }));
  }

  /** Null for a field that is not listed. */
  #field(path: readonly string[]): Found | null {
    if ((path.at(-1)?.length ?? 0) > NAME_MAX) return null;
    const key = JSON.stringify(path);
    const known = this.#fields.get(key);
    if (known !== undefined) return known;
    if (this.#fields.size >= FIELDS_MAX) return null;
    const field = { path, kinds: new Set<Kind>(), assets: 0 };
    this.#fields.set(key, field);
    return field;
  }
}

function membersOf(path: readonly string[], value: unknown) {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    return value.slice(0, ELEMENTS_MAX).map((one) => [[...path, ELEMENT], one] as const);
  }
  return Object.entries(value).map(([name, member]) => [[...path, name], member] as const);
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  const kind = typeof value;
  return kind === 'object' || kind === 'number' || kind === 'boolean' ? kind : 'string';
}
