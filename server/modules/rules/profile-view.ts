import type { contract } from '@cspm/contract';
import type { Profile, ProfileDefinition, SelectableRules } from '@cspm/scanner';
import type { z } from 'zod';
import { type Ruleset, rulesetOf, rulesetOfDefinition } from './ruleset.ts';
import type { TenantRules } from './tenant-rules.ts';

export type View = z.infer<(typeof contract.profiles.create.responses)[201]>;

/** Maps a built-in profile, or an alias under its own name, to the contract type. */
export function builtInProfileView(name: string, profile: Profile, tenant: TenantRules): View {
  const { title, description } = profile;
  return {
    name,
    aliasOf: name === profile.name ? null : profile.name,
    title,
    description,
    ...choiceIn(rulesetOf(profile, tenant)),
    definition: null,
  };
}

/**
 * Maps a tenant's own profile to the contract type.
 * @param rules the enabled rules of the tenant.
 */
export async function tenantProfileView(
  definition: ProfileDefinition,
  tenant: TenantRules,
  rules: SelectableRules,
): Promise<View> {
  const { name, include, exclude, parameters } = definition;
  return {
    name,
    aliasOf: null,
    title: name.replace(/^custom:/, ''),
    description: 'A profile defined by your tenant.',
    ...choiceIn(await rulesetOfDefinition(definition, tenant, rules)),
    definition: {
      include: [...include],
      exclude: [...exclude],
      // Stored as the contract accepted them, so the cast is safe.
      parameters: parameters as NonNullable<View['definition']>['parameters'],
    },
  };
}

function choiceIn({ digest, rules }: Ruleset) {
  return { digest, ruleCount: rules.length, rules: rules.map(({ id }) => id) };
}
