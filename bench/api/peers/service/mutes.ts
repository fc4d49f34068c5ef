/** A mute as an ORM returns it. Every member that is not null has to match. */
export interface StoredMute {
  readonly id: string;
  readonly lookup: string;
  readonly ruleId: string | null;
  readonly projectId: string | null;
  /** With `*` for any characters. */
  readonly asset: string | null;
  readonly labelKey: string | null;
  /** Null: any value. */
  readonly labelValue: string | null;
  readonly reason: string;
  readonly expiresAt: Date;
}

/** The members of a finding that mutes are compared with. */
export interface Mutable {
  readonly fingerprint: Uint8Array;
  readonly ruleId: string;
  readonly projectId: string;
  readonly assetName: string;
  readonly assetLabels: unknown;
}

/** The values of `lookup` that mutes of these findings may have. */
export function lookupsOf(findings: readonly Mutable[]): string[] {
  return [...new Set(findings.flatMap(lookups)), 'any'];
}

const lookups = ({ fingerprint, ruleId, projectId }: Mutable) => [
  Buffer.from(fingerprint).toString('hex'),
  `rule:${ruleId}`,
  `project:${projectId}`,
];

/**
 * Finds the mute of a finding that ends last.
 * @param mutes those in force, the last to end first
 */
export function lastingMutes(mutes: readonly StoredMute[]) {
  const matchers = mutes.map((mute) => ({ mute, pattern: patternOf(mute.asset) }));
  return (finding: Mutable): StoredMute | null => {
    const keys = [...lookups(finding), 'any'];
    const found = matchers.find(
      ({ mute, pattern }) =>
        keys.includes(mute.lookup) &&
        (mute.ruleId === null || mute.ruleId === finding.ruleId) &&
        (mute.projectId === null || mute.projectId === finding.projectId) &&
        (pattern === null || pattern.test(finding.assetName)) &&
        hasLabel(mute, finding.assetLabels as Record<string, string>),
    );
    return found?.mute ?? null;
  };
}

function patternOf(asset: string | null): RegExp | null {
  if (asset === null) return null;
  const texts = asset.split('*').map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${texts.join('.*')}$`, 's');
}

function hasLabel(
  { labelKey, labelValue }: StoredMute,
  labels: Readonly<Record<string, string>>,
): boolean {
  if (labelKey === null) return true;
  return (
    Object.hasOwn(labels, labelKey) && (labelValue === null || labels[labelKey] === labelValue)
  );
}
