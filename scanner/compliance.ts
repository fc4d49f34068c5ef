/** Versions of the CIS Google Cloud Foundations benchmark with mapped requirements, named as the profiles are. */
export type Framework = 'cis-gcp-2.0' | 'cis-gcp-4.0' | 'cis-gcp-5.0';

export interface Requirement {
  readonly framework: Framework;
  readonly id: string;
}

/** No requirement of a mapped benchmark covers it. */
export const NO_REQUIREMENT: readonly Requirement[] = [];

/**
 * The requirement that a rule decides, with its number in each version. Version 2.0 uses the numbers of 4.0, except for
 * those that 4.0 renumbered or added. Null: the version has no such requirement.
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
