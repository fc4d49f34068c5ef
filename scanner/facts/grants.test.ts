import { describe, expect, it } from 'vitest';
import { grantsIn } from './grants.ts';

const anyone = { member: () => true };

describe('the grants of a policy', () => {
  it('the grants of a policy are each role and member that a rule looks for, with their place', () => {
    const bindings = [
      { role: 'a', members: ['user:x@y.z'] },
      { role: 'b', members: ['user:x@y.z', 'group:g@y.z'] },
    ];
    const filter = {
      role: (role: string) => role === 'b',
      member: (member: string) => member.startsWith('user:'),
    };
    expect(grantsIn({ bindings }, filter)).toEqual([
      { role: 'b', member: 'user:x@y.z', path: 'iam_policy.bindings[1].members' },
    ]);
    expect(grantsIn({ bindings }, anyone)).toHaveLength(3);
  });

  it('the grants of a policy include those with a condition or without a role', () => {
    const bindings = [{ members: ['user:x@y.z'], condition: { expression: 'false' } }];
    expect(grantsIn({ bindings }, anyone)).toEqual([
      { role: '', member: 'user:x@y.z', path: 'iam_policy.bindings[0].members' },
    ]);
  });

  it('a value that is not a policy has no grants', () => {
    for (const bindings of [
      null,
      'x',
      [null, 7, { members: 'x' }, { role: 1, members: [[], 3] }],
    ]) {
      expect(grantsIn({ bindings }, anyone)).toEqual([]);
    }
  });
});
