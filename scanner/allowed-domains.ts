import { type Profile, profileOf } from './profile.ts';

/**
 * The same profile for a tenant that has named its own domains: the rules that ask for `allowedDomains` get these
 * where the profile names none of its own.
 *
 * @returns the profile itself, and with it its digest, where this changes nothing
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

/** Whether a rule takes such domains and has been given none. */
function isOpen({ parameters }: Profile['rules'][number]): boolean {
  const { allowedDomains } = parameters;
  return Array.isArray(allowedDomains) && allowedDomains.length === 0;
}
