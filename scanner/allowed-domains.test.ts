import { expect, it } from 'vitest';
import { withAllowedDomains } from './allowed-domains.ts';
import { profileOf } from './profile.ts';

const named = { name: 'custom:mine', title: 'T', description: 'D' };
const asking = { id: 'asks', version: 1, parameters: { allowedDomains: [], days: 1 } };
const other = { id: 'other', version: 1, parameters: { days: 90 } };

it('allowed domains of a tenant are passed to the rules that have the parameter, and change the digest of the profile', () => {
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

it('allowed domains of a tenant do not replace those that a profile sets', () => {
  const settled = { ...asking, parameters: { allowedDomains: ['c.example'] } };
  const profile = profileOf(named, [settled]);
  expect(withAllowedDomains(profile, ['a.example'])).toBe(profile);
});

it('a tenant without allowed domains, or a profile without the parameter, is unchanged', () => {
  const profile = profileOf(named, [asking]);
  expect(withAllowedDomains(profile, [])).toBe(profile);
  const indifferent = profileOf(named, [other]);
  expect(withAllowedDomains(indifferent, ['a.example'])).toBe(indifferent);
});
