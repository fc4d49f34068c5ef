import { expect, it } from 'vitest';
import { withAllowedDomains } from './allowed-domains.ts';
import { profileOf } from './profile.ts';

const named = { name: 'custom:mine', title: 'T', description: 'D' };
const asking = { id: 'asks', version: 1, parameters: { allowedDomains: [], days: 1 } };
const other = { id: 'other', version: 1, parameters: { days: 90 } };

it("gives the tenant's domains to the rules that ask for them, and the profile another digest", () => {
  const profile = profileOf(named, [asking, other]);
  const own = withAllowedDomains(profile, ['b.example', 'a.example', 'b.example']);
  expect(own.rules).toEqual([
    { ...asking, parameters: { allowedDomains: ['a.example', 'b.example'], days: 1 } },
    other,
  ]);
  expect(own.name).toBe('custom:mine');
  expect(own.digest).not.toBe(profile.digest);
  expect(own.digest).toBe(withAllowedDomains(profile, ['a.example', 'b.example']).digest);
});

it('leaves alone what the profile itself has settled', () => {
  const settled = { ...asking, parameters: { allowedDomains: ['c.example'] } };
  const profile = profileOf(named, [settled]);
  expect(withAllowedDomains(profile, ['a.example'])).toBe(profile);
});

it('changes nothing for a tenant without domains, nor in a profile that asks for none', () => {
  const profile = profileOf(named, [asking]);
  expect(withAllowedDomains(profile, [])).toBe(profile);
  const indifferent = profileOf(named, [other]);
  expect(withAllowedDomains(indifferent, ['a.example'])).toBe(indifferent);
});
