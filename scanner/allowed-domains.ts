import { type Profile, profileOf } from './profile.ts';

/**
 * Applies a tenant's own domains to a profile: rules with a parameter `allowedDomains` get them unless the profile sets
 * the parameter.
 *
 * @returns the same profile object, with the same digest, if nothing changes
 */
export function withAllowedDomains(profile: Profile, domains: readonly string[]): Profile {
  const concerned = profile.rules.some(isOpen);
  if (domains.length === 0 || !concerned) return profile;
  const allowedDomains = [...new Set(domains)].toSorted();
  return profileOf(
    profile,
    profile.rules.map((rule) =>
      isOpen(rule) ? { ...rule, parameters: { ...rule.parameters, allowedDomains } } : rule,
    ),
  );
}

/** Whether a rule accepts such domains and none are configured. */
function isOpen({ parameters }: Profile['rules'][number]): boolean {
  const { allowedDomains } = parameters;
  return Array.isArray(allowedDomains) && allowedDomains.length === 0;
}
