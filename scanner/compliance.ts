/** Versions of the CIS Google Cloud Foundations benchmark whose requirements we map; named as the profiles are. */
export type Framework = 'cis-gcp-2.0' | 'cis-gcp-4.0' | 'cis-gcp-5.0';

export interface Requirement {
  readonly framework: Framework;
  readonly id: string;
}

/** No requirement of a mapped benchmark asks for it. */
export const NO_REQUIREMENT: readonly Requirement[] = [];

/**
 * The requirement that a rule decides, under the number that each version gives it. Version 2.0 numbers it as 4.0
 * does, but for the few that 4.0 renumbered or added. Null: the version does not ask for it.
 */
export function cis(ids: {
  readonly v2?: string | null;
  readonly v4: string | null;
  readonly v5: string;
}): readonly Requirement[] {
  const v2 = ids.v2 === undefined ? ids.v4 : ids.v2;
  return [
    ...(v2 === null ? [] : [{ framework: 'cis-gcp-2.0' as const, id: v2 }]),
    ...(ids.v4 === null ? [] : [{ framework: 'cis-gcp-4.0' as const, id: ids.v4 }]),
    { framework: 'cis-gcp-5.0', id: ids.v5 },
  ];
}
