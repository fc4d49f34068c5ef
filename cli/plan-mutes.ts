import { compileGlob, type ExportedFinding, fingerprint } from '@cspm/scanner';
import { ApiError, type Cspm, type Mute } from '@cspm/sdk';

/** A finding that the service does not have yet, with the labels of its asset. */
interface NewFinding {
  readonly finding: ExportedFinding;
  readonly labels: Readonly<Record<string, string>>;
}

interface Candidate {
  readonly mute: Mute;
  readonly matchesAsset: (name: string) => boolean;
}

/** The ids that are part of the fingerprints of a project. */
interface ProjectIds {
  readonly tenantId: string;
  readonly projectId: string;
}

/**
 * The active mutes that can match new findings of one project. They match as the service matches them when findings are
 * read (`server/modules/findings/muting.ts`).
 */
export class ProjectMutes {
  /** What was not read, and why. */
  readonly notes: readonly string[];
  readonly #ids: ProjectIds | null;
  /** The mutes of a fingerprint, of a rule, and of neither. The limits of the service bound each list. */
  readonly #byScope = new Map<string, Candidate[]>();

  private constructor(mutes: readonly Mute[], ids: ProjectIds | null, notes: readonly string[]) {
    this.#ids = ids;
    this.notes = notes;
    for (const mute of mutes.toSorted(byExpiry)) {
      const { asset } = mute.selector ?? {};
      const matchesAsset = asset === undefined ? () => true : compileGlob(asset);
      const scope = mute.fingerprint ?? ruleScope(mute.selector?.ruleId);
      const candidates = this.#byScope.get(scope) ?? [];
      candidates.push({ mute, matchesAsset });
      this.#byScope.set(scope, candidates);
    }
  }

  static async read(cspm: Cspm, project: string): Promise<ProjectMutes> {
    const mutes: Mute[] = [];
    for await (const mute of cspm.mutes.list({ active: true, limit: 100 })) {
      const of = mute.selector?.project ?? mute.finding?.project ?? project;
      if (of === project) mutes.push(mute);
    }
    if (mutes.every(({ fingerprint }) => fingerprint === null)) {
      return new ProjectMutes(mutes, null, []);
    }
    const ids = await idsOf(cspm, project);
    const note = 'Mutes of single findings were not read: your credential may not read projects.';
    return new ProjectMutes(mutes, ids, ids === null ? [note] : []);
  }

  /** The mute that the service would show for the finding: of those that match, the one that ends last. */
  mutedBy({ finding, labels }: NewFinding): ExportedFinding['muted'] {
    const scopes = [this.#fingerprintOf(finding), ruleScope(finding.ruleId), ruleScope(undefined)];
    const [last] = scopes
      .flatMap((scope) => {
        const found = this.#byScope
          .get(scope)
          ?.find(
            ({ mute, matchesAsset }) =>
              matchesAsset(finding.asset.name) && hasLabel(labels, mute.selector?.label),
          );
        return found?.mute ?? [];
      })
      .toSorted(byExpiry);
    return last === undefined ? null : { reason: last.reason, expiresAt: last.expiresAt };
  }

  #fingerprintOf({ ruleId, asset, subject }: ExportedFinding): string {
    if (this.#ids === null) return '';
    return fingerprint({ ...this.#ids, ruleId, assetName: asset.name, subject });
  }
}

/** Null if the credential may not read projects. */
async function idsOf(cspm: Cspm, name: string): Promise<ProjectIds | null> {
  try {
    const { id: projectId } = await cspm.projects.get({ name });
    return { tenantId: (await cspm.tenant.get()).id, projectId };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'FORBIDDEN') return null;
    throw error;
  }
}

function ruleScope(ruleId: string | undefined): string {
  return `rule:${ruleId ?? ''}`;
}

/** The last to end comes first; the newer one if two end at the same time. */
function byExpiry(a: Mute, b: Mute): number {
  return Date.parse(b.expiresAt) - Date.parse(a.expiresAt) || (a.id < b.id ? 1 : -1);
}

/** @param wanted `key`, or `key=value`, whose value may contain `=`; if undefined, any labels match */
function hasLabel(labels: NewFinding['labels'], wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  const [key = '', ...value] = wanted.split('=');
  return Object.hasOwn(labels, key) && (value.length === 0 || labels[key] === value.join('='));
}
