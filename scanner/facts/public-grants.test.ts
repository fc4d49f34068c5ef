import { describe, expect, it } from 'vitest';
import { everyone, publicGrantsOf } from './public-grants.ts';

describe('the grants of a policy to everyone', () => {
  it('the public grants of a policy are each role and member, with its place', () => {
    const bindings = [
      { role: 'a', members: ['user:x@y'] },
      { role: 'b', members: ['allUsers', 'user:x@y', 'allAuthenticatedUsers'] },
    ];
    expect(publicGrantsOf({ bindings })).toEqual([
      { role: 'b', member: 'allUsers', path: 'iam_policy.bindings[1].members' },
      { role: 'b', member: 'allAuthenticatedUsers', path: 'iam_policy.bindings[1].members' },
    ]);
  });

  it('the public grants of a policy include those with a condition or without a role', () => {
    const bindings = [{ members: ['allUsers'], condition: { expression: 'false' } }];
    expect(publicGrantsOf({ bindings })).toHaveLength(1);
  });

  it('a value that is not a policy has no public grants', () => {
    for (const bindings of [
      null,
      'allUsers',
      [null, 7, { members: 'allUsers' }, { members: [[]] }],
    ]) {
      expect(publicGrantsOf({ bindings })).toEqual([]);
    }
  });
});

it.each([
  ['allUsers', 'allUsers'],
  ['ALL_USERS', 'allUsers'],
  ['allAuthenticatedUsers', 'allAuthenticatedUsers'],
  ['ALL_AUTHENTICATED_USERS', 'allAuthenticatedUsers'],
  ['user:allUsers', null],
  ['projectOwners', null],
  ['', null],
  [null, null],
  [['allUsers'], null],
])('the member %j is read as %j', (value, member) => {
  expect(everyone(value)).toBe(member);
});
