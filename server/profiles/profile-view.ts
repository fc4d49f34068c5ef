import type { contract } from '@cspm/contract';
import type { Profile, ProfileDefinition } from '@cspm/scanner';
import type { z } from 'zod';
import { type Ruleset, rulesetOf, rulesetOfDefinition } from '../scans/ruleset.ts';
import type { TenantRules } from './tenant-rules.ts';

type View = z.infer<(typeof contract.profiles.create.responses)[201]>;

/** A profile of the product, or an alias of one under its own name, as the contract shows it. */
export function builtInProfileView(name: string, profile: Profile, tenant: TenantRules) {
  const { title, description } = profile;
  return { name, title, description, ...choiceIn(rulesetOf(profile, tenant)), definition: null };
}

/** A profile that the tenant has defined, as the contract shows it. */
export function tenantProfileView(definition: ProfileDefinition, tenant: TenantRules) {
  const { name, include, exclude, parameters } = definition;
  return {
    name,
    title: name.replace(/^custom:/, ''),
    description: 'A profile that your tenant has defined.',
    ...choiceIn(rulesetOfDefinition(definition, tenant)),
    definition: {
      include: [...include],
      exclude: [...exclude],
      // As the contract took them.
      parameters: parameters as NonNullable<View['definition']>['parameters'],
    },
  };
}

function choiceIn({ digest, rules }: Ruleset) {
  return { digest, ruleCount: rules.length, rules: rules.map(({ id }) => id) };
}
